"""Pair the tokens, blocks, variables and nodes of a function across an edit."""
