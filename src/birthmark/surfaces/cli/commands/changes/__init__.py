"""Commands that ask about changes."""
