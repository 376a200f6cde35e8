"""What files and folders hold, from the index or read from disk."""
