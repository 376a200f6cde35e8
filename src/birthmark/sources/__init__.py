"""Files, attributes and settings on disk."""
