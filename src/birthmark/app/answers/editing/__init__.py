"""What an editor asks about a file that it has open."""
