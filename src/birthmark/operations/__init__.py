"""What can be done, in terms of the rooms below."""
