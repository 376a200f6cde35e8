"""Definitions, nodes, segments and chunks of a source."""
