"""Editors over the Language Server Protocol."""
