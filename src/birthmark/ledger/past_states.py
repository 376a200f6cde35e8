"""Read the files of replayed commits from the ledger.

Takes commits with their parents first; gives the changes of each against its first parent, and its files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from birthmark.ledger.prefetch import ReplaySource
from birthmark.sources.git.log import Link
from birthmark.sources.git.repository import ChangedFile
from birthmark.store.model import Version
from birthmark.store.port import LedgerStore

Files = dict[str, Version]


ChangedVersion = tuple[Version | None, Version | None]  # a file before and after a commit; None where it is absent
CommitChanges = tuple[Link, list[ChangedVersion]]  # a commit, and the files that it changed against its first parent


def read_changes(store: LedgerStore, links: Sequence[Link], source: ReplaySource) -> list[CommitChanges]:
    """Return the changes of replayed commits, in order, from the ledger."""
    runs = store.replayed_commits()
    recorded: dict[int, Files] = {}
    for version in store.versions_in([runs[link.commit] for link in links]):
        recorded.setdefault(version.run, {})[version.path] = version
    take = _taker(links)
    return [
        (link, _apply(take(link), link, changes, recorded.get(runs[link.commit], {}), source))
        for link, changes in zip(links, source.changes_of(links), strict=True)
    ]


def states_of(commits: Sequence[CommitChanges]) -> Iterator[tuple[CommitChanges, Mapping[str, Version]]]:
    """Yield each commit with its files, which are to be read before the next commit is taken."""
    take = _taker([link for link, _ in commits])
    for commit in commits:
        link, changed = commit
        files = take(link)
        for old, new in changed:
            if new is not None:
                files[new.path] = new
            elif old is not None:
                del files[old.path]
        yield commit, files


def _apply(
    files: Files, link: Link, changes: Sequence[ChangedFile], recorded: Files, source: ReplaySource
) -> list[ChangedVersion]:
    """Turn the files of a commit's first parent into its own and return the changes."""
    changed = []
    for change in changes:
        old, new = files.get(change.path), recorded.get(change.path)
        if new is None and old is not None and change.new_blob is not None:
            # Nothing else was extracted, or it is in no language any more.
            new = old if source.languages_in(link.commit, [change.path]).get(change.path) else None
        if new is None:
            files.pop(change.path, None)
        else:
            files[change.path] = new
        if old is not new:
            changed.append((old, new))
    return changed


def _taker(links: Sequence[Link]) -> Callable[[Link], Files]:
    """Return the function that gives the files of a commit's first parent, which the caller changes.

    The files of commits that others start from are held; the last one to do so takes them over.
    """
    n_children = Counter(link.first for link in links)
    held: dict[str | None, Files] = {}

    def take(link: Link) -> Files:
        n_children[link.first] -= 1
        found = held.get(link.first, {}).copy() if n_children[link.first] else held.pop(link.first, {})
        if n_children[link.commit]:
            held[link.commit] = found
        return found

    return take


def renamed_files(changed: Sequence[ChangedVersion]) -> dict[str, str]:
    """Return old paths of renamed files with new ones: files with the same content, or with most definitions."""
    added = [new for old, new in changed if old is None and new is not None]
    renamed: dict[str, str] = {}
    for gone in (old for old, new in changed if new is None and old is not None):
        shares = [(_share(gone, new), new.path) for new in added if new.path not in renamed.values()]
        share, path = max(shares, default=(0.0, ""))
        if share > 1 / 2:
            renamed[gone.path] = path
    return renamed


def _share(old: Version, new: Version) -> float:
    if old.extraction == new.extraction:
        return 2.0
    shared = len(set(old.identities).intersection(new.identities))
    return shared / max(len(old.identities), len(new.identities), 1)
