"""Repositories that stay open for a server, what its processes share, and who may ask it."""
