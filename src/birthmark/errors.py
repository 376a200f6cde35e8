"""Errors a user can act on. The message is one line that says what to do."""


class BirthmarkError(Exception):
    """Bad usage or input: exit code 2."""

    exit_code = 2


class LanguageError(BirthmarkError):
    """A language folder that cannot be used."""


class StoreError(BirthmarkError):
    """The index cannot be used as it is: exit code 3."""

    exit_code = 3


class DamagedError(StoreError):
    """The index is damaged; `doctor` repairs it."""
