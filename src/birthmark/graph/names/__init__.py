"""What the names in a file mean, as far as the file says it alone."""
