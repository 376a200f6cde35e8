"""Follow entities back through git: histories, blame, sources of what is new, variables and blocks."""
