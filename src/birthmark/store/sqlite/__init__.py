"""The store in SQLite: two files in a folder, and the ledger's log beside them."""
