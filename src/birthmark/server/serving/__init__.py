"""Serve many repositories to many users."""
