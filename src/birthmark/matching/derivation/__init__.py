"""Code that is in several places: what was derived from what, and what is nearly the same."""
