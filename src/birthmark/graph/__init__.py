"""Edges between definitions: the targets of references."""
