"""Which file became which.

Files are paired before anything else, by contents that one file has on each side; and again by what has been paired
in them. A file that keeps its path keeps its identity, unless what it was is elsewhere. Where a folder was renamed,
its other files follow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from posixpath import basename, dirname

from birthmark.matching.model import Content, content_of
from birthmark.matching.mutual_best import mutual_best
from birthmark.matching.pairing_state import PairingState, Side

_NAME_VOTE = 0.5  # Of two files with as much of a third, it is the one of its name.
_SHARED = 0.3  # of what two files hold, so that one may be the other
_ALL = 1 << 40  # more votes than there are

Votes = Mapping[tuple[str, str], int]


def pair_files(state: PairingState) -> None:
    """By contents that no other file has: also files that took each other's paths."""
    votes: Counter[tuple[str, str]] = Counter()
    old, new = _movers(state.old, state.new), _movers(state.new, state.old)
    for content in [content for content in old if content in new]:
        before, after = old[content], new[content]
        paths = {state.old.subjects[i].path for i in before}, {state.new.subjects[i].path for i in after}
        if len(paths[0]) == len(paths[1]) == 1:
            votes[paths[0].pop(), paths[1].pop()] += state.old.vote_of(before[0]) * min(len(before), len(after))
    if votes:
        old_bound, new_bound = _bound(state.old, state.new), _bound(state.new, state.old)
        free = {pair: n for pair, n in votes.items() if n > old_bound[pair[0]] and n > new_bound[pair[1]]}
        state.files = _follow_folders(state, _pair_paths(state, free))


def repair_files(state: PairingState) -> None:
    """By what is paired, for files that are gone; those that took another's path were found by `pair_files`."""
    kept = {old: new for old, new in state.files.items() if old in state.new.paths}
    state.files = kept | _find_renames(state, state.new.paths, state.old.paths)


def find_renames(state: PairingState) -> dict[str, str]:
    """Which file became which when all is paired: a path that lost all it held may have gone to another file, too."""
    stayed = frozenset(path for path, new_path in _paths_of_pairs(state) if path == new_path)
    unread = state.old.paths & state.new.paths - {subject.path for subject in state.old.subjects}
    return _find_renames(state, stayed | unread, stayed | unread)


def _find_renames(state: PairingState, old_kept: frozenset[str], new_kept: frozenset[str]) -> dict[str, str]:
    """Those that have the whole content of another, and those that have a good part of what it held."""
    if state.old.paths <= old_kept or state.new.paths <= new_kept:
        return {}
    whole = _moved_whole(state)
    taken = set(whole.values())
    votes: Counter[tuple[str, str]] = Counter()
    for pair, (old, new) in zip(state.pairs, _paths_of_pairs(state), strict=True):
        if not (old in old_kept or new in new_kept or old in whole or new in taken):
            votes[old, new] += state.old.vote_of(pair.old)
    return _follow_folders(state, whole | _pair_paths(state, votes))


def _paths_of_pairs(state: PairingState) -> list[tuple[str, str]]:
    return [(state.old.subjects[pair.old].path, state.new.subjects[pair.new].path) for pair in state.pairs]


def _moved_whole(state: PairingState) -> dict[str, str]:
    """Files whose content was at one path only, and is at one other only."""
    places: defaultdict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for at, side, other in ((0, state.old, state.new), (1, state.new, state.old)):
        for path, content_id in side.files.items():
            if content_id is not None and path not in other.paths:
                places[content_id][at].append(path)
    return {old[0]: new[0] for old, new in places.values() if len(old) == len(new) == 1}


def _pair_paths(state: PairingState, votes: Votes) -> dict[str, str]:
    old_totals, new_totals = _totals(state.old), _totals(state.new)
    scores = {
        (old, new): count + _NAME_VOTE * (basename(old) == basename(new))
        for (old, new), count in votes.items()
        if 2 * count >= _SHARED * (old_totals[old] + new_totals[new])
    }
    return dict(mutual_best(scores))


def _follow_folders(state: PairingState, files: dict[str, str]) -> dict[str, str]:
    """Files that are gone, and new where they would be had they gone with the others of their folder."""
    ways = Counter(_way(old, new) for old, new in files.items() if basename(old) == basename(new))
    folders = dict(mutual_best(ways))
    fresh = state.new.paths - state.old.paths - set(files.values())
    followers = {}
    for path in state.old.paths - state.new.paths - files.keys():
        folder = next((folder for folder in _folders(path) if folder in folders), None)
        heir = None if folder is None else _join(folders[folder], path[len(folder) :])
        if heir is not None and heir in fresh:
            followers[path] = heir
    return files | followers


def _way(old: str, new: str) -> tuple[str, str]:
    """The folders in which two paths differ, without what they have in common at their ends."""
    before, after = dirname(old), dirname(new)
    while before and after and basename(before) == basename(after):
        before, after = dirname(before), dirname(after)
    return before, after


def _folders(path: str) -> list[str]:
    """Around a path, the innermost first; the root is ""."""
    folders = [dirname(path)]
    while folders[-1]:
        folders.append(dirname(folders[-1]))
    return folders


def _join(folder: str, rest: str) -> str:
    return f"{folder}/{rest.lstrip('/')}" if folder else rest.lstrip("/")


def _totals(side: Side) -> Counter[str]:
    totals: Counter[str] = Counter()
    for index, subject in enumerate(side.subjects):
        totals[subject.path] += side.vote_of(index)
    return totals


def _movers(side: Side, other: Side) -> dict[Content, list[int]]:
    """Who is not in the same file on the other side, by content."""
    stayed = {(subject.path, content_of(subject)) for subject in other.subjects}
    movers: defaultdict[Content, list[int]] = defaultdict(list)
    for index, subject in enumerate(side.subjects):
        if (subject.path, content_of(subject)) not in stayed:
            movers[content_of(subject)].append(index)
    return movers


def _bound(side: Side, other: Side) -> Counter[str]:
    """By path, the votes that do not yet say that a file is another now: half its own, and all if some stayed."""
    there = {(subject.path, content_of(subject)) for subject in other.subjects}
    bound: Counter[str] = Counter()
    for index, subject in enumerate(side.subjects):
        if subject.path in other.paths:
            has_stayed = (subject.path, content_of(subject)) in there and not side.is_light(index)
            bound[subject.path] += _ALL if has_stayed else side.vote_of(index)
    return Counter({path: count // 2 for path, count in bound.items()})
