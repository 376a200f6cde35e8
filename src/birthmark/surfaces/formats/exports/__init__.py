"""The index in formats of other programs."""
