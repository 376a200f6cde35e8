"""The past of an entity: its history, its blame, and where it was last."""
