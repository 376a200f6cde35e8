"""Where a definition was before commits renamed or moved it, newest first; from the ledger, or else from git."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.histories.histories import find_subject, read_history
from birthmark.app.workspace.repository import OpenRepository
from birthmark.errors import NotFoundError
from birthmark.model import Location
from birthmark.sources.git.log import Commit


class FormerPlace(NamedTuple):
    """A place that a definition had at `revision`, and the commit after that, which ended it."""

    revision: str
    location: Location
    commit: Commit


def find_former_places(repository: OpenRepository, ref: str, at: str | None = None) -> list[FormerPlace]:
    """Of what a REF names; `at` is the revision it is looked up in, else the worktree."""
    places = []
    for event in read_history(repository, find_subject(repository, ref, at)).events:
        before, after, parent = event.step.before, event.step.after, event.step.parent
        if before is not None and parent is not None and _name(before) != _name(after):
            places.append(FormerPlace(parent, before, event.commit))
    return places


def _name(location: Location) -> tuple[str, str]:
    return location.path, location.qualified_name


def read_former_file(repository: OpenRepository, place: FormerPlace) -> bytes:
    """The file that a definition was in, as it was there."""
    content = repository.commit_state(place.revision).content(place.location.path)
    if content is None:
        raise NotFoundError(f"{place.location.path}: cannot be read at {place.revision[:12]}; fetch more of the clone")
    return content
