"""The store in SQLite: two database files in a folder, with their logs."""
