"""Tests of voice notes."""
