"""Answer questions from the index: REFs, lives, lineage and the graph."""
