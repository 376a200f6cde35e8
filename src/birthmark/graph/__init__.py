"""Where references lead: the edges between definitions."""
