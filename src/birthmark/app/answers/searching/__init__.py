"""Search, and what makes texts searchable."""
