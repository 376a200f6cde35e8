"""Errors a user can act on. The message is one line that says what to do; what there is to choose from may follow."""

from collections.abc import Sequence


class BirthmarkError(Exception):
    """Bad usage or input: exit code 2."""

    exit_code = 2

    def __init__(self, message: str, choices: Sequence[str] = ()) -> None:
        """`choices` are lines for the reader, one for each thing that may be meant."""
        super().__init__(message)
        self.choices = tuple(choices)


class NotFoundError(BirthmarkError):
    """What was named is not there: a REF, a revision, a file, a subscription."""


class AmbiguousError(BirthmarkError):
    """What was named could be several things."""


class LanguageError(BirthmarkError):
    """A language folder that cannot be used."""


class StoreError(BirthmarkError):
    """The index cannot be used as it is: exit code 3."""

    exit_code = 3


class ClusterError(BirthmarkError):
    """The machines that do the work went away: exit code 3."""

    exit_code = 3


class DamagedError(StoreError):
    """The index is damaged; `doctor` repairs it: exit code 2."""

    exit_code = 2
