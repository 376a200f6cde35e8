"""Commits that were rewritten: what is in them was there before, perhaps at other paths.

A rebase, a cherry-pick or a rewriting of all paths keeps the author's time. So a new commit may replace a replayed one
of the same time that is no longer part of history, and what its files held has the identities that it had.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from posixpath import commonprefix

from birthmark.sources.git.log import Link
from birthmark.store.model import Version
from birthmark.store.port import Store

Place = tuple[str, int]  # a path, and the extraction that is there


def find_rewritten(store: Store, links: Iterable[Link]) -> dict[int, list[int]]:
    """The runs of replayed commits that are no longer part of history, by their author's time."""
    commits = {link.commit for link in links}
    gone = [run for commit, run in store.replayed_commits().items() if commit not in commits]
    found: defaultdict[int, list[int]] = defaultdict(list)
    for number, run in sorted(store.runs(gone).items()) if gone else ():
        found[run.at].append(number)
    return dict(found)


def rewritten_identities(versions: Collection[Version], new: Sequence[Place]) -> dict[Place, Sequence[int]]:
    """The identities that files had at other paths; of several of one content, where the path ends most alike."""
    by_extraction: defaultdict[int, list[Version]] = defaultdict(list)
    for version in versions:
        by_extraction[version.extraction].append(version)
    found: dict[Place, Sequence[int]] = {}
    for path, extraction in new if versions else ():
        if like := by_extraction.get(extraction):
            found[path, extraction] = max(like, key=lambda version: _common_end(version.path, path)).identities
    return found


def _common_end(one: str, other: str) -> int:
    return len(commonprefix((one[::-1], other[::-1])))
