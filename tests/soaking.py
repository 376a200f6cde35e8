"""Run Birthmark over edits whose outcome is known by construction, and count what is reported otherwise.

`make soak COUNT=… SECONDS=…` edits generated trees, and with PROJECT=… the files of a clone. `index` and `resolve`,
`diff`, `scan` and `apply` run as users run them. The judge is `known_edits.py` with `source_trees.py`; they share no
code with what is judged.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any, NamedTuple

from known_edits import EDITS, Outcome
from source_trees import BRACES, PieceLines, SourceTree, generate, read_tree

from running import birthmark, document
from worlds import run_git

_STEPS = 5  # on one tree
_MOST_EDITS = 5  # in one step
_UNTOUCHED = 3  # things that are watched beside those that an edit touches
_MOST_FILES = 200  # of a project
_LARGEST = 60_000  # characters of a file
_SHOWN = 20
_GRAVE = {"interface", "body"}


class Expected(NamedTuple):
    """A thing before and after a step: its mark, and its lines as they were reported and as they must be."""

    uid: int
    mark: str
    subscription: str
    before: tuple[str, str, int, int]
    after: tuple[str, str, int, int] | None


@dataclass
class Tally:
    """How often each answer was as it must be, and the answers that were not."""

    right: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    n_steps: int = 0
    n_passed_over: int = 0
    wrong: list[str] = field(default_factory=list)

    def judge(self, question: str, expected: object, found: object, of: str) -> None:
        if expected == found:
            self.right[question] += 1
        else:
            self.wrong.append(f"{question} of {of}: expected {expected}, found {found}")


class Soaker:
    """A repository in a scratch folder, and the truth about it."""

    def __init__(self, root: Path, tree: SourceTree, tally: Tally) -> None:
        self.root, self.tree, self.tally = root, tree, tally
        self.written: dict[str, str] = {}
        self._write()
        self._commit()
        document("index", cwd=root)

    def step(self, n_edits: int) -> None:
        """Edit, ask, compare, accept, and ask again."""
        before, outcome, n_wrong = self.tree.places(), Outcome(), len(self.tally.wrong)
        self.tree = deepcopy(self.tree)
        for edit in self.tree.random.choices(EDITS, k=n_edits):
            edit(self.tree, outcome)
            self.tally.edits[edit.__name__] += 1
        watched = self._watch(before, outcome)
        self._write()
        self._judge_diff(watched, outcome)
        self._judge_scan(watched, outcome)
        document("index", cwd=self.root)
        self._judge_marks(watched)
        self._judge_apply(watched)
        self._commit()
        self.tally.n_steps += 1
        self.tally.wrong[n_wrong:] = [f"{one} [{'; '.join(outcome.edits)}]" for one in self.tally.wrong[n_wrong:]]

    def _write(self) -> None:
        texts = {path: self.tree.text(path) for path in self.tree.files}
        for path in self.written.keys() - texts.keys():
            (self.root / path).unlink()
        for path, text in texts.items():
            if self.written.get(path) != text:
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_text(text, "utf-8")
        self.written = texts

    def _commit(self) -> None:
        run_git(self.root, "add", "-A")
        run_git(self.root, "commit", "-q", "--allow-empty", "-m", "step")

    def _watch(self, before: dict[int, PieceLines], outcome: Outcome) -> list[Expected]:
        """Subscribe to what was touched and to a few things beside, while the files are as they were."""
        after = self.tree.places()
        moved = {uid for uid, place in before.items() if place.path != getattr(after.get(uid), "path", None)}
        chosen = sorted((outcome.touched | moved) & before.keys())
        rest = sorted(before.keys() - set(chosen))
        chosen += self.tree.random.sample(rest, min(len(rest), _UNTOUCHED))
        watched = [self._expect(uid, before[uid], after.get(uid)) for uid in chosen]
        return [one for one in watched if one is not None]

    def _expect(self, uid: int, before: PieceLines, after: PieceLines | None) -> Expected | None:
        ref = f"{before.path}::{before.name}"
        entity = (document("resolve", ref, cwd=self.root)).get("entity")
        if entity is None and not self.tree.is_generated:
            self.tally.n_passed_over += 1
            return None
        start, end = entity["start_line"], entity["end_line"]
        subscription = document("subscribe", ref, cwd=self.root)["id"]
        place = None
        if after is not None:
            shift = after.start_line - before.start_line
            place = (after.path, after.name, start + shift, end + shift + after.n_lines - before.n_lines)
        return Expected(uid, entity["mark"], subscription, (before.path, before.name, start, end), place)

    def _judge_diff(self, watched: list[Expected], outcome: Outcome) -> None:
        changes = document("diff", "HEAD", "--moved", cwd=self.root)["changes"]
        by_place = {_place(one["before"]): one for one in changes if one["before"]}
        for one in watched:
            found = by_place.get(one.before, {"change": "unchanged", "after": _location(one.before), "aspects": []})
            of = _shown(one.before)
            self.tally.judge("place in diff", one.after, _place(found["after"]) if found["after"] else None, of)
            if one.uid not in outcome.open:
                is_grave = one.uid in outcome.body
                self.tally.judge("change in diff", _word(one, outcome), found["change"], of)
                self.tally.judge("aspects in diff", is_grave, bool(_GRAVE & set(found["aspects"])), of)

    def _judge_scan(self, watched: list[Expected], outcome: Outcome) -> None:
        report = document("scan", cwd=self.root)
        triggers = {one["subscription_id"]: one["change_type"] for one in report["triggers"]}
        proposals = {one["subscription_id"]: one for one in report["proposals"]}
        for one in watched:
            of = _shown(one.before)
            if one.uid not in outcome.open:
                due = "MISSING" if one.after is None else "CONTENT" if one.uid in outcome.body else None
                self.tally.judge("trigger of scan", due, triggers.get(one.subscription), of)
            found = proposals.get(one.subscription)
            place = (
                (found["new_path"], found["new_qualname"] or one.before[1], found["new_start"], found["new_end"])
                if found
                else None
            )
            due_place = one.after if one.after != one.before else None
            self.tally.judge("proposal of scan", due_place, place, of)

    def _judge_marks(self, watched: list[Expected]) -> None:
        for one in watched:
            entity = document("resolve", one.mark, cwd=self.root).get("entity")
            found = entity and (entity["path"], entity["qualified_name"], entity["start_line"], entity["end_line"])
            self.tally.judge("place of a mark", one.after, found, f"{one.mark} {_shown(one.before)}")

    def _judge_apply(self, watched: list[Expected]) -> None:
        """What was applied is quiet; what is deleted is still reported."""
        birthmark("apply", cwd=self.root)
        report = document("scan", cwd=self.root)
        found = {one["subscription_id"] for word in ("triggers", "proposals", "ambiguous") for one in report[word]}
        for one in watched:
            self.tally.judge("reported after apply", one.after is None, one.subscription in found, _shown(one.before))
        if watched:
            birthmark("subscriptions", "delete", *(one.subscription for one in watched), cwd=self.root)


def _place(location: dict[str, Any]) -> tuple[str, str, int, int]:
    return location["path"], location["qualified_name"], location["start_line"], location["end_line"]


def _location(place: tuple[str, str, int, int]) -> dict[str, Any]:
    return dict(zip(("path", "qualified_name", "start_line", "end_line"), place, strict=True))


def _shown(place: tuple[str, str, int, int]) -> str:
    return f"{place[0]}::{place[1]}"


def _word(one: Expected, outcome: Outcome) -> str:
    """The boldest word that applies."""
    if one.after is None:
        return "deleted"
    if one.after[0] != one.before[0]:
        return "relocated"
    if one.after[1] != one.before[1]:
        return "renamed"
    if one.uid in outcome.body | outcome.cosmetic:
        return "modified"
    return "unchanged" if one.after == one.before else "moved"


def soak_generated(folder: Path, seed: int, tally: Tally, n_steps: int = _STEPS) -> None:
    random = Random(seed)  # noqa: S311  nothing secret
    folder.mkdir(parents=True)
    run_git(folder, "init", "-q", "-b", "main")
    soaker = Soaker(folder, generate(random), tally)
    for _ in range(n_steps):
        soaker.step(random.randrange(1, _MOST_EDITS + 1))


def soak_project(repository: Path, folder: Path, seed: int, tally: Tally, n_steps: int = _STEPS) -> None:
    """Random files of a project's HEAD, each time others."""
    random = Random(seed)  # noqa: S311  nothing secret
    run_git(folder.parent, "clone", "-q", "--shared", str(repository.resolve()), str(folder))
    paths = [path for path in run_git(folder, "ls-files").split("\n") if _is_known(folder / path)]
    chosen = sorted(random.sample(paths, min(len(paths), _MOST_FILES)))
    texts = {path: (folder / path).read_bytes().decode("utf-8", "replace") for path in chosen}
    taken = {path: text for path, text in texts.items() if text.endswith("\n") and not {"\r", "\f", "�"} & set(text)}
    soaker = Soaker(folder, read_tree(random, taken), tally)
    for _ in range(n_steps):
        soaker.step(random.randrange(1, _MOST_EDITS + 1))


def _is_known(path: Path) -> bool:
    suffix = PurePosixPath(path).suffix
    return (suffix == ".py" or suffix in BRACES) and path.is_file() and path.stat().st_size < _LARGEST


def main(count: str, seconds: str, repository: str = "") -> int:
    started, tally, n_trees = time.monotonic(), Tally(), 0
    with tempfile.TemporaryDirectory(prefix="birthmark-soak-") as name:
        for seed in range(int(count)):
            if time.monotonic() - started > float(seconds):
                break
            folder, n_trees = Path(name) / str(seed), n_trees + 1
            if repository:
                soak_project(Path(repository), folder, seed, tally)
            else:
                soak_generated(folder, seed, tally)
    print(f"{n_trees} trees, {tally.n_steps} steps, {tally.edits.total()} edits in {time.monotonic() - started:.0f} s")
    print(", ".join(f"{number:,} {edit}" for edit, number in tally.edits.most_common()))
    print(", ".join(f"{question}: {number:,} right" for question, number in tally.right.most_common()))
    print(f"{len(tally.wrong)} answers are wrong; {tally.n_passed_over} functions were passed over")
    print(*tally.wrong[:_SHOWN], sep="\n")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
