"""The store in PostgreSQL: the indexes of many repositories in one database, in the schema `birthmark`."""
