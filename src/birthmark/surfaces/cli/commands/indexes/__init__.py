"""Commands that keep an index, or many."""
