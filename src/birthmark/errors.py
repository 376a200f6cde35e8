"""Errors a user can act on. The message is one line that says what to do."""


class BirthmarkError(Exception):
    """Bad usage or input: exit code 2."""

    exit_code = 2


class NotFoundError(BirthmarkError):
    """What was named is not there: a REF, a revision, a file, a subscription."""


class AmbiguousError(BirthmarkError):
    """What was named could be several things."""


class LanguageError(BirthmarkError):
    """A language folder that cannot be used."""


class StoreError(BirthmarkError):
    """The index cannot be used as it is: exit code 3."""

    exit_code = 3


class DamagedError(StoreError):
    """The index is damaged; `doctor` repairs it."""
