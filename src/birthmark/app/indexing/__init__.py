"""Bring the index up to date, replay a history into it, watch the files, report what it holds."""
