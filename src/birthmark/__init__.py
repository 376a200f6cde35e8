"""Birthmark gives every piece of code an identity that survives editing."""

__version__ = "0.1.0"
