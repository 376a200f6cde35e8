"""SQL statements, the same for every database.

They are written for SQLite; `server/postgres/database.py` translates them. So both stores hold the same rows and give
the same answers.
"""
