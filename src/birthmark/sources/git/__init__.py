"""Git: objects, refs, revisions and history, read by its plumbing."""
