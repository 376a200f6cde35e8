"""Find entities by words: in names, and in texts."""
