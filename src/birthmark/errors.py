"""Errors a user can act on: each message says in one line what is wrong and what to do."""


class BirthmarkError(Exception):
    """Bad usage or input; surfaces print the message and exit with 2."""


class LanguageError(BirthmarkError):
    """A language folder is broken."""
