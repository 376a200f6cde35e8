"""What histories say about the entities of an oracle, in the form that its score asks for.

`predict` takes an opened repository and an entity of an oracle. RULES says which of the changes that we tell are left
out by the authors of an oracle, by their own definitions: what changed in those ways only has not changed for them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from birthmark.app.histories.histories import find_subject
from birthmark.app.histories.inner_histories import read_inner_history
from birthmark.app.histories.subjects import HistorySubject, subject_at_commit
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.pair_commit import pair_commit
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.follow import WalkedLineage, follow
from birthmark.history.lineage import EntityAtCommit, Step
from birthmark.model import Entity, Location
from birthmark.sources.git.repository import ChangedFile
from birthmark.vocabulary import DerivationKind, HistoryChange

Row = dict[str, Any]
COMMENT = "comment in the body"  # a documentation change that is more than the text above the definition
INNER = {"variable", "parameter", "block"}
FILES = {"file", "module"}
WHOLE = {DerivationKind.MOVED, DerivationKind.MERGED, DerivationKind.SPLIT}
KINDS = {
    "method": {"method", "constructor", "fn"},
    "function": {"fn", "method", "constructor"},
    "class": {"class", "interface", "enum", "struct"},
    "attribute": {"field", "const", "var", "member"},
    "variable": {"var", "const"},
}


# What oracles call a file: its name, its name without the extension, or the part behind the last dot.
FILE_NAMES: tuple[Callable[[str], str], ...] = (
    lambda path: path.rpartition("/")[2],
    lambda path: path.rpartition("/")[2].partition(".")[0],
    lambda path: path.rpartition(".")[2],
    lambda path: "",
)


class Rule(NamedTuple):
    """Changes that alone do not make a commit part of an oracle's histories, with the reason."""

    ignored: frozenset[str]
    reason: str


_DECLARATION = frozenset({HistoryChange.DOCUMENTATION, HistoryChange.FORMAT, COMMENT})
RULES = {
    "codetracker-method": Rule(
        frozenset({HistoryChange.DOCUMENTATION, HistoryChange.FORMAT}),
        "comments in the body are recorded, Javadoc is not",
    ),
    "codetracker-class": Rule(
        _DECLARATION | {"inheritance change", "type parameter change"},
        "declarations only; neither bases nor type parameters are in its vocabulary",
    ),
    "codetracker-attribute": Rule(_DECLARATION, "declarations only; no documentation in its vocabulary"),
    "codetracker-variable": Rule(
        _DECLARATION | {"initializer change", "initializer added", "initializer removed", "container change", "moved"},
        "declarations only; what happens around a variable is not its history",
    ),
    "codetracker-block": Rule(_DECLARATION, "no documentation in its vocabulary"),
    "historyfinder": Rule(frozenset(), "documentation and format are recorded"),
    "codeshovel-python": Rule(
        frozenset({HistoryChange.FORMAT, COMMENT}), "docstrings are part of a body, comments are not"
    ),
}
_OTHERWISE = Rule(frozenset({HistoryChange.FORMAT}), "")


def predict(oracle: str, past: OpenRepository, row: Row) -> Row:
    start = time.perf_counter()
    try:
        steps, lines = predict_history(past, row) if row.get("complete", True) else (predict_pair(past, row), None)
    except Exception as error:
        failure = str(error) if isinstance(error, BirthmarkError) else repr(error)
        return {"commits": [], "seconds": time.perf_counter() - start, "lines": None, "failure": failure}
    seconds = time.perf_counter() - start
    ignored = next((rule for name, rule in RULES.items() if oracle.startswith(name)), _OTHERWISE).ignored
    commits = [step.commit for step in steps if set(words_of(past, step)) - ignored]
    changes = [describe(past, step) for step in steps]
    if lines is None and row["kind"] not in {*INNER, *FILES}:
        changes = [
            change | {"line_before": line_before(past, step)} for change, step in zip(changes, steps, strict=True)
        ]
    derived = [] if row.get("complete", True) else predict_derivations(past, row)
    return {"commits": commits, "changes": changes, "derived": derived, "seconds": seconds, "lines": lines}


def describe(past: OpenRepository, step: Step) -> Row:
    before = step.before
    return {
        "commit": step.commit,
        "time": past.commit(step.commit).at,
        "types": list(step.changes),
        "evidence": before and step.evidence,
        "confidence": before and step.confidence,
        "path_before": before and before.path,
        "name_before": before and before.qualified_name.rpartition(".")[2],
    }


def line_before(past: OpenRepository, step: Step) -> int | None:
    """The line on which the name stood: that tells namesakes apart."""
    found = entities_at(past, step.parent, step.before) if step.parent and step.before else None
    if found is None or not found[1]:
        return None
    content, (entity, *_) = found
    return content.count(b"\n", 0, entity.name_span[0] if entity.name_span else entity.start_byte) + 1


def words_of(past: OpenRepository, step: Step) -> tuple[str, ...]:
    """What changed, with comments in the body told from documentation."""
    if set(step.changes) != {HistoryChange.DOCUMENTATION} or step.before is None or step.parent is None:
        return step.changes
    texts = [text_at(past, step.parent, step.before), text_at(past, step.commit, step.after)]
    return (COMMENT,) if texts[0] != texts[1] else step.changes


def text_at(past: OpenRepository, commit: str, place: Location) -> bytes:
    """An entity without its documentation, and without white space."""
    found = entities_at(past, commit, place)
    if found is None:
        return b""
    content, entities = found
    spans = (span for entity in entities for span in entity.content_spans)
    return b"".join(b"".join(content[slice(*span)].split()) for span in spans)


def entities_at(past: OpenRepository, commit: str, place: Location) -> tuple[bytes, list[Entity]] | None:
    """A file, and those at a place of it."""
    blob = past.blob(commit, place.path)
    outline = past.outlines([(blob, place.path)])[0] if blob else None
    if blob is None or outline is None:
        return None
    key = place.qualified_name, place.start_line
    return past.content(blob), [e for e in outline.entities if (e.qualified_name, e.start_line) == key]


# Histories


def predict_history(past: OpenRepository, row: Row) -> tuple[list[Step], tuple[int, int]]:
    if row["kind"] in INNER:
        return follow_inner(past, row), (row["start_line"], row.get("end_line") or row["start_line"])
    target = find_target(past, row)
    return follow(past, subject_at_commit(past, target)), (target.entity.start_line, target.entity.end_line)


def follow_inner(past: OpenRepository, row: Row) -> list[Step]:
    subject = find_subject(past, f"{row['path']}:{row['start_line']}", row["start_commit"])
    found = read_inner_history(past, subject, None if row["kind"] == "block" else row["name"])
    return [event.step for event in found.events]


def find_target(past: OpenRepository, row: Row) -> HistorySubject:
    """The entity of that kind and name that is nearest to the line."""
    commit, path, line = row["start_commit"], row["path"], row["start_line"]
    blob = past.blob(commit, path)
    outline = past.outlines([(blob, path)])[0] if blob else None
    if blob is None or outline is None:
        raise BirthmarkError("the file cannot be read")
    kinds, name = KINDS[row["kind"]], row["name"].rpartition(".")[2]
    named = [i for i, entity in enumerate(outline.entities) if entity.name == name and entity.kind in kinds]
    if not named:
        raise BirthmarkError(f"no {row['kind']} of the name is found where the oracle has one")
    nearest = min(named, key=lambda index: distance(outline.entities[index], line))
    file = OutlinedFile(path, outline, lambda: past.content(blob))
    return HistorySubject(commit, blob, OutlinedEntity(file, nearest))


def distance(entity: Entity, line: int) -> tuple[int, int]:
    is_around = entity.start_line <= line <= entity.end_line
    off = min(abs(entity.start_line - line), abs(entity.end_line - line))
    return 0 if is_around else off, entity.end_line - entity.start_line


# Pairs: one step, from a commit to its parent


def predict_pair(past: OpenRepository, row: Row) -> list[Step]:
    parent = row["history"][0].get("parent") or past.parents(row["start_commit"])[0]
    if row["kind"] in FILES:
        return link_file(past, row, parent)
    try:
        spot = subject_at_commit(past, find_target(past, row))
    except (BirthmarkError, KeyError):
        return follow_inner_once(past, row)
    return link_entity(past, spot, parent)


def link_entity(past: OpenRepository, spot: EntityAtCommit, parent: str) -> list[Step]:
    lineage = WalkedLineage(CommitPairings(past))
    link = lineage.pairings.link(spot, parent)
    if link is None:
        return []
    locations = lineage.location(link.entity), lineage.location(spot)
    return [Step(spot.commit, parent, link.changes, *locations, link.evidence, link.confidence)]


def predict_derivations(past: OpenRepository, row: Row) -> list[Row]:
    """Links to what it came from as a whole, though that is not its identity: pulled up, pushed down, merged, split."""
    parent = row["history"][0].get("parent") or past.parents(row["start_commit"])[0]
    try:
        target = find_target(past, row)
    except (BirthmarkError, KeyError):
        return []
    step = Step(target.commit, parent, (HistoryChange.INTRODUCED,), None, target.outlined.location)
    lineage = WalkedLineage(CommitPairings(past))
    found = [source for source in lineage.sources(step) if source.end.kind in WHOLE]
    steps = [
        Step(step.commit, parent, (HistoryChange.MOVED,), lineage.location(source.entity), step.after)
        for source in found
    ]
    return [describe(past, one) | {"line_before": line_before(past, one)} for one in steps]


def follow_inner_once(past: OpenRepository, row: Row) -> list[Step]:
    if row["kind"] not in INNER:
        raise BirthmarkError(f"no {row['kind']} of the name is found where the oracle has one")
    return [step for step in follow_inner(past, row) if step.commit == row["start_commit"]]


def link_file(past: OpenRepository, row: Row, parent: str) -> list[Step]:
    commit, path = row["start_commit"], row["path"]
    changed = past.changed(parent, commit)
    before = origin_by_definitions(past, changed, path) or origin_by_lines(past, changed, path)
    if before is None or before == path:
        return []
    name_of = next((name_of for name_of in FILE_NAMES if name_of(path) == row["name"]), FILE_NAMES[0])
    places = [Location(name, name_of(name), 1, 1) for name in (before, path)]
    return [Step(commit, parent, (HistoryChange.CONTAINER,), places[0], places[1])]


def origin_by_definitions(past: OpenRepository, changed: list[ChangedFile], path: str) -> str | None:
    """The file that most of what a file defines comes from."""
    old = states(past, [(file.path, file.old_blob) for file in changed if file.old_blob])
    new = states(past, [(file.path, file.new_blob) for file in changed if file.new_blob])
    pairs = pair_commit(old, new, past.family_of).successors
    votes = Counter(old[before[0]].path for before, after in pairs.items() if new[after[0]].path == path)
    return votes.most_common(1)[0][0] if votes else None


def origin_by_lines(past: OpenRepository, changed: list[ChangedFile], path: str) -> str | None:
    """Of a file that defines nothing: the removed one that shares most lines with it, and more than half."""
    lines = {file.path: Counter(past.content(file.new_blob).splitlines()) for file in changed if file.new_blob}
    mine, shares = lines[path], {}
    for file in changed:
        if file.old_blob and not file.new_blob:
            theirs = Counter(past.content(file.old_blob).splitlines())
            shares[file.path] = (mine & theirs).total() / max(mine.total(), theirs.total(), 1)
    nearest = max(shares, key=lambda name: shares[name], default=None)
    return nearest if nearest is not None and shares[nearest] > 0.5 else None


def states(past: OpenRepository, files: list[tuple[str, str]]) -> list[OutlinedFile]:
    outlines = past.outlines([(blob, path) for path, blob in files])
    return [
        OutlinedFile(path, outline, lambda blob=blob: past.content(blob))  # type: ignore[misc]
        for (path, blob), outline in zip(files, outlines, strict=True)
        if outline is not None
    ]
