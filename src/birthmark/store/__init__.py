"""What is kept of a repository: a cache of extractions, snapshots, the ledger; subscriptions and an outbox."""
