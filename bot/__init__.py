"""The edge of Teller: platforms, configuration, wiring. It knows `core`; `core` never knows it."""
