"""Commands for other programs."""
