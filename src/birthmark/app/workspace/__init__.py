"""A repository that is open: where it is, its states, its store, and how fresh its index is."""
