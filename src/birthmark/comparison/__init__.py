"""Two states of a repository: what changed, entity by entity and chunk by chunk."""
