"""Changes between two states, entity by entity and chunk by chunk."""
