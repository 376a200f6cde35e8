"""Renames and moves that commit messages state, and whether the pairing of the commit says the same.

    python benchmarks/forge_renames.py CLONES [--repository OWNER+NAME ...] [--statements FILE] [--cache FOLDER]
                                       [--worst N]

CLONES holds `owner+name` for each repository. A message states "Rename X to Y", "X was renamed to Y" or "Move X to Y".
It counts if a search by patterns (`definition_search.py`) finds in a changed file that X was defined before and is not
after, that Y was not and is, and each equally often; of a move, that X has left one file and is in one other, which is
Y, defines it or is under it. Whatever Birthmark says of them is not known to the search. A statement is right if every
definition named X goes to one named Y there; else it is elsewhere if one goes to anything else, and missed if one is
gone. With `--statements`, what was found is kept in a file, and read from it if that is there.

The figures are by repository and by language; nobody has chosen the statements by reading them.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from definition_search import find_definitions, language_of
from kept_results import opened
from predictions import states

from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import EntityRef, OutlinedFile

MOST_FILES = 150  # of a commit
MOST_BYTES = 1 << 20  # of a file
MOST_PLACES = 12  # of a statement
MOST_LINES = 60  # of a message
_QUOTES = "[`'\"\u201c\u201d\u2018\u2019*@\u2060]*"
_NAME = rf"{_QUOTES}(?P<%s>[A-Za-z_$][\w$]*(?:(?:\.|::|#|->|/)[A-Za-z_$][\w$]*)*[?!]?)(?:\([^)]*\))?{_QUOTES}"
_KINDS = (
    r"(?:the|a|an|internal|private|public|test|tests|utility|helper|existing|new|method|function|func|fn|class|type|"
    r"interface|trait|struct|enum|field|variable|var|const|constant|property|attribute|module|package|file|param)s?\s+"
)
_KIND, _KIND_BEHIND = f"(?:{_KINDS})*", f"(?:\\s+(?:{_KINDS}))?"
_TO = r"\s+(?:to|into|as|in favou?r of)\s+|\s*(?:->|=>|\u2192|\u279c)\s*"
_X, _Y = _NAME % "old", _NAME % "new"
_FROM = r"(?:[\w./]+\s+)?(?:out of \S+\s+)?(?:from\s+\S+\s+)?"
PATTERNS = (
    ("rename", rf"\brenam(?:e|es|ed|ing)\s+{_KIND}{_X}{_KIND_BEHIND}\s*?(?:{_TO}){_KIND}{_Y}"),
    ("rename", rf"{_X}\s+(?:(?:was|is|has been|been|have been|gets?)\s+)?renamed\s+(?:to|into|as)\s+{_KIND}{_Y}"),
    ("move", rf"\bmov(?:e|es|ed|ing)\s+{_KIND}{_X}\s+{_FROM}(?:in|on)?to\s+{_KIND}{_Y}"),
)

Row = dict[str, Any]


class Change(NamedTuple):
    """A changed file; without a blob on the side it is not on."""

    old_path: str
    new_path: str
    old_blob: str | None
    new_blob: str | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--repository", action="append", help="owner+name; all in CLONES if none is given")
    parser.add_argument("--statements", type=Path, help="a file of statements, written if it is not there")
    parser.add_argument("--cache", type=Path, help="a folder of results that runs share")
    parser.add_argument("--worst", type=int, default=0, help="how many of those that are not right to list")
    options = parser.parse_args()
    names = options.repository or sorted(path.name for path in options.clones.iterdir())
    rows = [row for row in read_or_find(options.statements, options.clones, names) if row["repo"] in names]
    outcomes = list(score(rows, options.clones, options.cache))
    for title, key in (("repository", "repo"), ("language", "language"), ("kind", "kind")):
        print_table(title, rows, outcomes, key)
    wrong = [(row, outcome) for row, outcome in zip(rows, outcomes, strict=True) if outcome in ("missed", "elsewhere")]
    for row, outcome in wrong[: options.worst]:
        print(
            f"{outcome}: {row['repo']} {row['commit'][:10]} {row['kind']} {row['old']} to {row['new']}: {row['places']}"
        )


# Finding


def read_or_find(file: Path | None, clones: Path, names: Iterable[str]) -> list[Row]:
    if file is not None and file.exists():
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    with ProcessPoolExecutor() as pool:
        rows = [row for found in pool.map(find_statements, [clones / name for name in names]) for row in found]
    if file is not None:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return rows


def find_statements(folder: Path) -> list[Row]:
    """The statements of a repository that its files confirm, each with the places that it is about."""
    rows: dict[tuple[str, ...], Row] = {}  # without those of commits that were picked or rebased
    with GitObjects(folder) as objects:
        for commit, parent, message in read_messages(folder):
            stated = list(dict.fromkeys(read_statements(message)))
            changes = objects.changes(parent, commit) if stated else []
            if len(changes) > MOST_FILES:
                continue
            for kind, old, new in stated:
                names = last_part(old), last_part(new)
                confirm = confirm_rename if kind == "rename" else confirm_move
                places = confirm(objects, changes, *names)
                if 0 < len(places) <= MOST_PLACES:
                    rows[kind, *names, places[0][0], places[0][2]] = {
                        "repo": folder.name,
                        "language": language_of(places[0][0]),
                        "commit": commit,
                        "parent": parent,
                        "kind": kind,
                        "old": names[0],
                        "new": names[1] if kind == "rename" else names[0],
                        "places": places,
                    }
    print(f"{folder.name}: {len(rows)} statements", file=sys.stderr)
    return list(rows.values())


def read_messages(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Commits of one parent whose messages speak of renaming or moving."""
    command = ["git", "-C", str(folder), "log", "--no-merges", "-i", "-E", "--grep=renam|mov(e|es|ed|ing) "]
    found = subprocess.run([*command, "--format=%H%x00%P%x00%B%x01"], capture_output=True, check=True).stdout
    for record in found.decode("utf-8", "replace").split("\x01"):
        commit, _, rest = record.strip().partition("\0")
        parents, _, message = rest.partition("\0")
        if parents and " " not in parents:
            yield commit, parents, message


def read_statements(message: str) -> Iterator[tuple[str, str, str]]:
    """What a message says was renamed or moved; its lines are joined, as sentences go on."""
    lines = message.splitlines()[:MOST_LINES]
    text = "\n".join(" ".join(group) for blank, group in groupby(lines, lambda line: not line.strip()) if not blank)
    for kind, pattern in PATTERNS:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if last_part(match["old"]) != last_part(match["new"]) and not (kind == "move" and is_plain_word(match)):
                yield kind, match["old"], match["new"]


def is_plain_word(match: re.Match[str]) -> bool:
    """Return True for "move tests to": a word of English, unless it is quoted."""
    name, before = match["old"], match.string[match.start("old") - 1]
    return name.isalpha() and name.islower() and before.isspace()


def last_part(name: str) -> str:
    """`save` of `Store.save`; a file goes without its extension."""
    parts = re.split(r"\.|::|#|->|/", name)
    return parts[-2] if len(parts) > 1 and language_of(name) is not None else parts[-1]


def confirm_rename(objects: GitObjects, changes: list[Change], old: str, new: str) -> list[tuple[str, int, str, int]]:
    places: list[tuple[str, int, str, int]] = []
    for change in changes:
        texts = objects.text(change.old_blob), objects.text(change.new_blob)
        paths = change.old_path, change.new_path
        before = find_definitions(old, paths[0], texts[0])
        after = find_definitions(new, paths[1], texts[1])
        is_gone = not find_definitions(old, paths[1], texts[1])
        is_new = not find_definitions(new, paths[0], texts[0])
        if before and is_gone and is_new and len(before) == len(after):
            places += [(paths[0], line, paths[1], other) for line, other in zip(before, after, strict=True)]
    return places


def confirm_move(objects: GitObjects, changes: list[Change], name: str, to: str) -> list[tuple[str, int, str, int]]:
    left: list[tuple[str, int]] = []
    arrived: list[tuple[str, int]] = []
    for change in changes:
        before = find_definitions(name, change.old_path, objects.text(change.old_blob))
        after = find_definitions(name, change.new_path, objects.text(change.new_blob))
        is_one_file = change.old_path == change.new_path
        left += [(change.old_path, line) for line in before if not (after and is_one_file)]
        arrived += [(change.new_path, line) for line in after if not (before and is_one_file)]
    if len(left) != 1 or len(arrived) != 1 or left[0][0] == arrived[0][0]:
        return []
    (path, line), (new_path, new_line) = left[0], arrived[0]
    blob = next((change.new_blob for change in changes if change.new_path == new_path), None)
    is_there = to.lower() in new_path.lower() or bool(find_definitions(to, new_path, objects.text(blob)))
    return [(path, line, new_path, new_line)] if is_there else []


class GitObjects:
    """Changes and texts of a repository, from git alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.texts: dict[str, str] = {}

    def __enter__(self) -> GitObjects:
        command = ["git", "-C", str(self.folder), "cat-file", "--batch"]
        self.reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_: object) -> None:
        self.reader.communicate()

    def changes(self, parent: str, commit: str) -> list[Change]:
        """The changed files that can be searched; git says which were renamed."""
        command = [
            "git",
            "-C",
            str(self.folder),
            "diff-tree",
            "-r",
            "-M30%",
            "-z",
            "--raw",
            "--no-abbrev",
            parent,
            commit,
        ]
        fields = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace").split("\0")
        self.texts.clear()
        changes, at = [], 0
        while at + 1 < len(fields):
            _, _, old_blob, new_blob, status = fields[at].split(" ")
            n_paths = 2 if status[0] in "RC" else 1
            paths = fields[at + 1 : at + 1 + n_paths]
            at += 1 + n_paths
            if language_of(paths[0]) and language_of(paths[-1]):
                changes.append(Change(paths[0], paths[-1], _blob(old_blob), _blob(new_blob)))
        return changes

    def text(self, blob: str | None) -> str:
        if blob is None:
            return ""
        if blob not in self.texts:
            self.texts[blob] = self._read(blob)
        return self.texts[blob]

    def _read(self, blob: str) -> str:
        assert self.reader.stdin is not None
        assert self.reader.stdout is not None
        self.reader.stdin.write(f"{blob}\n".encode())
        self.reader.stdin.flush()
        header = self.reader.stdout.readline().split()
        if len(header) != 3:
            return ""
        content = self.reader.stdout.read(int(header[2]) + 1)[:-1]
        return "" if len(content) > MOST_BYTES else content.decode("utf-8", "replace")


def _blob(sha: str) -> str | None:
    return sha if sha.strip("0") else None


# Scoring


def score(rows: list[Row], clones: Path, cache: Path | None) -> Iterator[str]:
    """For each statement: right, elsewhere, missed, or no entity."""
    for repository, group in groupby(rows, lambda row: str(row["repo"])):
        with opened(clones / repository, cache) as past:
            for (parent, commit), stated in groupby(group, lambda row: (str(row["parent"]), str(row["commit"]))):
                old, new = read_sides(past, parent, commit)
                successors = pair_commit(old, new, past.family_of).successors
                yield from (judge(row, old, new, successors) for row in stated)


def read_sides(past: OpenRepository, parent: str, commit: str) -> tuple[list[OutlinedFile], list[OutlinedFile]]:
    changed = past.changed(parent, commit)
    old = states(past, [(file.path, file.old_blob) for file in changed if file.old_blob])
    new = states(past, [(file.path, file.new_blob) for file in changed if file.new_blob])
    return old, new


def judge(row: Row, old: list[OutlinedFile], new: list[OutlinedFile], successors: Mapping[EntityRef, EntityRef]) -> str:
    outcomes = Counter(judge_place(row, place, old, new, successors) for place in row["places"])
    return next((outcome for outcome in ("elsewhere", "missed", "right") if outcomes[outcome]), "no entity")


def judge_place(
    row: Row,
    place: tuple[str, int, str, int],
    old: list[OutlinedFile],
    new: list[OutlinedFile],
    successors: Mapping[EntityRef, EntityRef],
) -> str:
    path, line, new_path, new_line = place
    before, after = find_entity(old, path, row["old"], line), find_entity(new, new_path, row["new"], new_line)
    if before is None or after is None:
        return "no entity"
    f, e = successors.get(before, (-1, -1))
    if f < 0:
        return "missed"
    found = new[f].path, new[f].outline.entities[e].name
    return "right" if found == (new_path, row["new"]) else "elsewhere"


def find_entity(files: list[OutlinedFile], path: str, name: str, line: int) -> EntityRef | None:
    """The entity of a name that starts nearest before a line, if it does not end before."""
    for f, file in enumerate(files):
        if file.path == path:
            found = [
                (line - entity.start_line, e)
                for e, entity in enumerate(file.outline.entities)
                if entity.name == name and entity.start_line <= line <= entity.end_line
            ]
            return (f, min(found)[1]) if found else None
    return None


def print_table(title: str, rows: list[Row], outcomes: list[str], key: str) -> None:
    groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row, outcome in zip(rows, outcomes, strict=True):
        groups[str(row[key])][outcome] += 1
        groups["all"][outcome] += 1
    print(f"\n| {title} | statements | right | elsewhere | missed | P | R | no entity |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, counts in sorted(groups.items(), key=lambda item: (item[0] == "all", item[0])):
        right, elsewhere, missed = (counts[outcome] for outcome in ("right", "elsewhere", "missed"))
        total = right + elsewhere + missed
        shares = f"{100 * right / max(1, right + elsewhere):.1f} | {100 * right / max(1, total):.1f}"
        print(f"| {name} | {total} | {right} | {elsewhere} | {missed} | {shares} | {counts['no entity']} |")


if __name__ == "__main__":
    main()
