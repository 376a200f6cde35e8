"""Complete the records of a replay with what merges did, so that histories are read from the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from birthmark.app.workspace.repository import OpenRepository
from birthmark.history.batch_history import shared_walk
from birthmark.history.merge_links import link_merges
from birthmark.history.recorded_lineage import RecordedLineage
from birthmark.sources.log import Link, files_of_merges
from birthmark.store.port import Store

_LAST = "last_merge"  # the run of the last merge that was recorded
_CHUNK = 200  # merges that are written together


def record_merges(store: Store, repository: OpenRepository, links: Sequence[Link]) -> None:
    """Those of some replayed commits that were not recorded before, in the order in which they were replayed."""
    nodes = store.commits_named([link.commit for link in links if len(link.parents) > 1])
    last = int(store.meta(_LAST) or 0)
    new = sorted((node.run, commit) for commit, node in nodes.items() if node.run > last)
    remaining = iter(new)
    while chunk := list(islice(remaining, _CHUNK)):
        _record(store, repository, [commit for _, commit in chunk], chunk[-1][0])


def _record(store: Store, repository: OpenRepository, merges: Sequence[str], last: int) -> None:
    walked = shared_walk(repository)
    lineage = RecordedLineage(walked.pairings, store, repository.extractor.version, {})
    records = link_merges(lineage, _pairs(repository, merges))
    with store.writing():
        store.put_links(records)
        store.set_meta(_LAST, last)


def _pairs(repository: OpenRepository, merges: Sequence[str]) -> Iterable[tuple[str, str]]:
    found = files_of_merges(repository.git, merges)
    return ((commit, path) for commit, paths in found.items() for path in paths)
