"""Pair the files of two states.

Files are paired first by contents that one file has on each side, and again by entities that were paired in them. A
file that keeps its path keeps its identity, unless its former content is elsewhere. If a folder was renamed, its other
files follow; so does a file that got another extension, and one with most of its names that is alone of its own name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from posixpath import basename, dirname, splitext

from birthmark.matching.model import Content, content_of
from birthmark.matching.pairing_state import PairingState, Side
from birthmark.matching.similarity import mutual_best

_NAME_VOTE = 0.5  # decides between two files with as much of a third
_FEWEST_NAMES, _SHARED_NAMES = 2, 0.7  # in common of two files of one name, in different folders
SHARED = 0.3  # least common share of the contents of two files that may be one
_ALL = 1 << 40  # more votes than there are

Votes = Mapping[tuple[str, str], int]


def pair_files(state: PairingState) -> None:
    """Pair files by contents that no other file has, including files that swapped paths."""
    votes: Counter[tuple[str, str]] = Counter()
    old, new = _absent_entities(state.old, state.new), _absent_entities(state.new, state.old)
    for content in [content for content in old if content in new]:
        before, after = old[content], new[content]
        paths = {state.old.entities[i].path for i in before}, {state.new.entities[i].path for i in after}
        if len(paths[0]) == len(paths[1]) == 1:
            votes[paths[0].pop(), paths[1].pop()] += state.old.vote_of(before[0]) * min(len(before), len(after))
    if votes:
        old_least, new_least = _votes_to_exceed(state.old, state.new), _votes_to_exceed(state.new, state.old)
        free = {pair: n for pair, n in votes.items() if n > old_least[pair[0]] and n > new_least[pair[1]]}
        state.files = _with_followers(state, _pair_paths(state, free))
        state.taken = frozenset(state.files.values()) - state.files.keys()


def repair_files(state: PairingState) -> None:
    """Pair files that are gone by what is paired in them; `pair_files` found those that took another's path."""
    kept = {old: new for old, new in state.files.items() if old in state.new.paths}
    state.files = kept | _find_renames(state, state.new.paths, state.old.paths)


def find_renames(state: PairingState) -> dict[str, str]:
    """Return the renamed files when everything is paired: those that are gone, or whose path another file has."""
    stayed = frozenset(path for path, new_path in _paths_of_pairs(state) if path == new_path)
    taken_over = {entity.path for entity in state.old.entities} & {entity.path for entity in state.new.entities}
    kept = stayed | (state.old.paths & state.new.paths - taken_over)
    return _find_renames(state, kept, kept)


def _find_renames(state: PairingState, old_kept: frozenset[str], new_kept: frozenset[str]) -> dict[str, str]:
    """Pair files with the same content at one path each, and files with a good part of common entities."""
    if state.old.paths <= old_kept or state.new.paths <= new_kept:
        return {}
    whole = _moved_whole(state)
    taken = set(whole.values())
    votes: Counter[tuple[str, str]] = Counter()
    for pair, (old, new) in zip(state.pairs, _paths_of_pairs(state), strict=True):
        if not (old in old_kept or new in new_kept or old in whole or new in taken):
            votes[old, new] += state.vote_of(pair)
    return _follow_names(state, _with_followers(state, whole | _pair_paths(state, votes)))


def _paths_of_pairs(state: PairingState) -> list[tuple[str, str]]:
    return [(state.old.entities[pair.old].path, state.new.entities[pair.new].path) for pair in state.pairs]


def _moved_whole(state: PairingState) -> dict[str, str]:
    """Return files whose content was at one path only and is at one other path only."""
    places: defaultdict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for at, side, other in ((0, state.old, state.new), (1, state.new, state.old)):
        for path, content_id in side.files.items():
            if content_id is not None and path not in other.paths:
                places[content_id][at].append(path)
    return {old[0]: new[0] for old, new in places.values() if len(old) == len(new) == 1}


def _pair_paths(state: PairingState, votes: Votes) -> dict[str, str]:
    old_totals, new_totals = state.old.votes, state.new.votes
    scores = {
        (old, new): count + _NAME_VOTE * (basename(old) == basename(new))
        for (old, new), count in votes.items()
        if 2 * count >= SHARED * (old_totals[old] + new_totals[new])
    }
    return dict(mutual_best(scores))


def _with_followers(state: PairingState, files: dict[str, str]) -> dict[str, str]:
    return _follow_extensions(state, _follow_folders(state, files))


def _follow_extensions(state: PairingState, files: dict[str, str]) -> dict[str, str]:
    """Add files that are gone and reappear under another extension of their family: `app.js`, now `app.ts`."""
    gone = state.old.paths - state.new.paths - files.keys()
    fresh = state.new.paths - state.old.paths - set(files.values())
    stems = Counter(splitext(path)[0] for path in (*gone, *fresh))
    if all(count == 1 for count in stems.values()):
        return files
    families = {entity.path: entity.family for side in (state.old, state.new) for entity in side.entities}
    old, new = ({(splitext(path)[0], families.get(path)): path for path in paths} for paths in (gone, fresh))
    followers = {
        path: new[key] for key, path in old.items() if key in new and key[1] is not None and stems[key[0]] == 2
    }
    return files | followers


def _follow_folders(state: PairingState, files: dict[str, str]) -> dict[str, str]:
    """Add files that are gone and reappear where they would be had they gone with their folder."""
    moves = Counter(_differing_folders(old, new) for old, new in files.items() if basename(old) == basename(new))
    folders = dict(mutual_best(moves))
    fresh = state.new.paths - state.old.paths - set(files.values())
    followers = {}
    for path in state.old.paths - state.new.paths - files.keys():
        folder = next((folder for folder in _folders(path) if folder in folders), None)
        successor = None if folder is None else _join(folders[folder], path[len(folder) :])
        if successor is not None and successor in fresh:
            followers[path] = successor
    return files | followers


def _follow_names(state: PairingState, files: dict[str, str]) -> dict[str, str]:
    """Add files that are gone and reappear elsewhere, alone of their name and with most of the names in them."""
    gone = _by_basename(state.old.paths - state.new.paths - files.keys())
    fresh = _by_basename(state.new.paths - state.old.paths - set(files.values()))
    singles = [(old[0], fresh[name][0]) for name, old in gone.items() if len(old) == len(fresh.get(name, ())) == 1]
    if not singles:
        return files
    names = _names_by_path(state.old), _names_by_path(state.new)
    return files | {old: new for old, new in singles if _share_most(names[0][old], names[1][new])}


def _by_basename(paths: Iterable[str]) -> dict[str, list[str]]:
    named: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        named[basename(path)].append(path)
    return named


def _names_by_path(side: Side) -> defaultdict[str, Counter[tuple[str, str | None, str]]]:
    names: defaultdict[str, Counter[tuple[str, str | None, str]]] = defaultdict(Counter)
    for entity in side.entities:
        names[entity.path][entity.family, entity.parent, entity.name] += 1
    return names


def _share_most(old: Counter[tuple[str, str | None, str]], new: Counter[tuple[str, str | None, str]]) -> bool:
    n_common = (old & new).total()
    return n_common >= _FEWEST_NAMES and 2 * n_common >= _SHARED_NAMES * (old.total() + new.total())


def _differing_folders(old: str, new: str) -> tuple[str, str]:
    """Return the folders in which two paths differ, without their common end."""
    before, after = dirname(old), dirname(new)
    while before and after and basename(before) == basename(after):
        before, after = dirname(before), dirname(after)
    return before, after


def _folders(path: str) -> list[str]:
    """Return the folders around a path, the innermost first; the root is ""."""
    folders = [dirname(path)]
    while folders[-1]:
        folders.append(dirname(folders[-1]))
    return folders


def _join(folder: str, rest: str) -> str:
    return f"{folder}/{rest.lstrip('/')}" if folder else rest.lstrip("/")


def _absent_entities(side: Side, other: Side) -> dict[Content, list[int]]:
    """Return entities that are not in the same file on the other side, by content."""
    stayed = {(entity.path, content_of(entity)) for entity in other.entities}
    absent: defaultdict[Content, list[int]] = defaultdict(list)
    for index, entity in enumerate(side.entities):
        if (entity.path, content_of(entity)) not in stayed:
            absent[content_of(entity)].append(index)
    return absent


def _votes_to_exceed(side: Side, other: Side) -> Counter[str]:
    """Return the votes needed to rename a file whose path is still there: half its own, all if some stayed."""
    there = {(entity.path, content_of(entity)) for entity in other.entities}
    votes: Counter[str] = Counter()
    for index, entity in enumerate(side.entities):
        if entity.path in other.paths:
            has_stayed = (entity.path, content_of(entity)) in there and not side.is_light(index)
            votes[entity.path] += _ALL if has_stayed else side.vote_of(index)
    return Counter({path: count // 2 for path, count in votes.items()})
