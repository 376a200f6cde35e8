"""Subscriptions: their targets and accepted states, and what a scan finds about them."""
