"""Follow entities back through git: histories, blame, sources of new code, variables and blocks."""
