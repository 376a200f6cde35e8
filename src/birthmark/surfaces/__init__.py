"""The interfaces for people and programs."""
