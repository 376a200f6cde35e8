"""Statements about the tables of a store: the same for every database.

They are written as SQLite understands them. `postgres/database.py` makes of each what PostgreSQL understands, so
that both stores hold the same rows and give the same answers.
"""
