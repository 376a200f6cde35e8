"""Access control: guards, tokens, users, rate limits."""
