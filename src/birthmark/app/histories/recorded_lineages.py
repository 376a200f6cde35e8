"""Open the records of a replay for the histories of a commit.

Of a commit that was not replayed, the commits between it and the replayed ones are read from git, unless they are too
many.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from birthmark.app.workspace.repository import OpenRepository
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.recorded_lineage import RecordedLineage
from birthmark.history.recorded_path import NewCommit
from birthmark.sources.git.log import Link, changes_of
from birthmark.store.port import Store

_MOST_NEW = 300  # commits since the last replay; more of them are walked, by which git finds what touched a file
_SHA1_DIGITS = 40

# What led to a commit does not change, so its lineage is read once while a repository is open.
_opened: WeakKeyDictionary[OpenRepository, dict[str, RecordedLineage]] = WeakKeyDictionary()


def open_recorded(repository: OpenRepository, commit: str) -> RecordedLineage | None:
    """None where nothing was replayed of what led to a commit, or the clone has only a part of it."""
    store = repository.store
    if store is None or len(commit) != _SHA1_DIGITS or not store.has_commits() or repository.git.shallow():
        return None
    opened = _opened.setdefault(repository, {})
    if commit not in opened:
        new = _new_commits(repository, store, commit)
        if new is None:
            return None
        opened[commit] = RecordedLineage(CommitPairings(repository), store, repository.extractor.version, new)
    return opened[commit]


def _new_commits(repository: OpenRepository, store: Store, commit: str) -> dict[str, NewCommit] | None:
    """The commits up to one that were not replayed yet."""
    links: dict[str, Link] = {}
    waiting = [commit]
    while waiting:
        known = store.commits_named(waiting)
        found = [Link(one, repository.parents(one), 0) for one in dict.fromkeys(waiting) if one not in known]
        links |= {link.commit: link for link in found}
        if len(links) > _MOST_NEW:
            return None
        waiting = [parent for link in found for parent in link.parents if parent not in links]
    changes = changes_of(repository.git, list(links.values())) if links else []
    return {
        link.commit: NewCommit(link.commit, link.parents, {file.path: file.new_blob for file in changed})
        for link, changed in zip(links.values(), changes, strict=True)
    }
