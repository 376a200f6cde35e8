"""Assign identities to what changed and record it: updates, revival, keys, replay."""
