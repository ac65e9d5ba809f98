"""The edge of Teller: platforms, configuration, wiring. It knows `core`; `core` never knows it."""

import gc

# What is loaded is no garbage, and to look for some in it took a twentieth of the start.
gc.set_threshold(200_000)
