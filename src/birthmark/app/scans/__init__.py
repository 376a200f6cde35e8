"""Subscriptions: what is watched, what a scan finds and explains, and how that is delivered."""
