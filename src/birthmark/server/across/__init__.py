"""Questions over all repositories of a database."""
