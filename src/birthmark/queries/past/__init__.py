"""What once was, from the ledger: lives of identities, where code came from, former users."""
