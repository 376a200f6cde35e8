"""Answers from the index: REFs, what became of them, lineage and the graph."""
