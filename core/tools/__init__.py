"""Families of tools and nothing else: a module here is found by being here."""
