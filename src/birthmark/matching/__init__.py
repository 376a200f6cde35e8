"""Which entity is which after an edit, and which part of it."""
