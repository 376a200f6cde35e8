"""Follow entities back through git: histories, blame, provenance, variables and blocks."""
