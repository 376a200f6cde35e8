"""Who may ask what: guards, tokens, persons, rates."""
