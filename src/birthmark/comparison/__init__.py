"""Compare two states of a repository, entity by entity and chunk by chunk."""
