"""Mirrors of repositories of other machines, fetched within limits."""
