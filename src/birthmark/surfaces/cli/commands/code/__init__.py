"""Commands that ask about code."""
