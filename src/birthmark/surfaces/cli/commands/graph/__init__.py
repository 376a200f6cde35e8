"""Commands that ask the graph."""
