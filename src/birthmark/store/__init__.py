"""The index on disk: a cache of extractions, the snapshots of worktrees, and the ledger."""
