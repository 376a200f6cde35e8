"""Bytes to spans; the only room that knows tree-sitter."""
