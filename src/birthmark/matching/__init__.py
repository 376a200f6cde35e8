"""Pair entities, and the parts of their bodies, across an edit."""
