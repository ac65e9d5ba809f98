"""The core of Teller: states, toolkit, loop. It knows no platform and never imports `bot`."""
