"""Blobs to outlines: reading, caching and the worker pool."""
