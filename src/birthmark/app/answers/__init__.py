"""Answers about a REF or a path: what it names, what became of it, what uses it, what is in it."""
