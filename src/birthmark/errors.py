"""Errors that a user can act on: one line that says what to do, with optional choices."""

from collections.abc import Sequence


class BirthmarkError(Exception):
    """Bad usage or input: exit code 2."""

    exit_code = 2

    def __init__(self, message: str, choices: Sequence[str] = ()) -> None:
        """Take a message, and a line for each possible choice."""
        super().__init__(message)
        self.choices = tuple(choices)


class NotFoundError(BirthmarkError):
    """A REF, a revision, a file or a subscription that does not exist."""


class AmbiguousError(BirthmarkError):
    """A name with several meanings."""


class LanguageError(BirthmarkError):
    """An invalid language folder."""


class StoreError(BirthmarkError):
    """The index cannot be used as it is: exit code 3."""

    exit_code = 3


class ClusterError(BirthmarkError):
    """The machines of a cluster went away: exit code 3."""

    exit_code = 3


class DamagedError(StoreError):
    """The index is damaged; `doctor` repairs it: exit code 2."""

    exit_code = 2
