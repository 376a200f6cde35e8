"""Assign identities to changed entities and record them: updates, revival, keys, replay."""
