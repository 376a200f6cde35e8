"""The stored data of a repository: cache of extractions, snapshots and ledger; subscriptions and outbox."""
