"""Strict servers that stand in for the outside world over real sockets.

An emulator never flatters: what the real service refuses, it refuses, with the same status and text.
Parameters and limits are read from the SDKs, so an upgrade of an SDK moves the emulator too.
"""
