"""Edges between definitions: the targets of references."""

from birthmark.compiled import prefer_compiled

prefer_compiled()
