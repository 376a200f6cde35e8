"""One module for a command or for a few that belong together."""
