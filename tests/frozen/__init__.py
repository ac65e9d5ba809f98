"""Data folders as version 0.1.0 left them when it was killed: what every later version must open and go on with."""
