"""References and bindings: read from one file, and kept with it."""
