"""Web pages of `serve`: the same answers as JSON, for people."""
