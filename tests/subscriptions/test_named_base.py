"""Scans with a named base are about what changed since that base; what was changed before it is not repeated."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from birthmark.documents.sentences import comparison_note, sentence
from birthmark.vocabulary import ComparedWith
from running import birthmark
from scanning import QUIET, Told, accept, current, do, make, scan, skipped, subscribe, told
from worlds import World

SHOP = "def price(items):\n    return sum(items)\n\n\ndef tax(price):\n    return price * 2\n"
BODY = Told("CONTENT", ("body_changed",))
LINES = Told("CONTENT", ("overlap",))
GONE = Told("MISSING", ("semantic_target_missing",))
EDITS = {
    "round": ("return sum(items)", "return round(sum(items), 2)"),
    "floor": ("return round(sum(items), 2)", "return int(sum(items))"),
    "back": ("return round(sum(items), 2)", "return sum(items)"),
    "tax": ("price * 2", "price * 3"),
    "delete": ("def price(items):\n    return sum(items)\n\n\n", ""),
    "add": ("def tax", "def price(items):\n    return sum(items)\n\n\ndef tax"),
    "above": ("def price", "import os\n\n\ndef price"),
}


class Span(NamedTuple):
    """The edits before the base and after it, each a commit; and what a scan of the span tells."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    told: Told


ENTITY = {
    "an edit of the span": Span((), ("round",), BODY),
    "an edit before it": Span(("round",), ("tax",), QUIET),
    "an edit before it and one of it": Span(("round",), ("floor",), BODY),
    "taken back": Span(("round",), ("back",), QUIET),
    "deleted before it": Span(("delete",), ("tax",), QUIET),
    "deleted in it": Span((), ("delete",), GONE),
    "deleted before it, and there again": Span(("delete",), ("add",), QUIET),
    "edited before it, shifted in it": Span(
        ("round",), ("above",), Told(None, (), ("line_shift",), "shop.py:4-5", "high")
    ),
}


def edit(world: World, *words: str) -> str:
    """Commit each edit, and return the last commit."""
    for word in words:
        world.replace("shop.py", *EDITS[word])
        world.commit()
    return world.git("rev-parse", "HEAD")


@pytest.mark.parametrize("options", [{}, {"include_members": True}], ids=str)
@pytest.mark.parametrize("name", ENTITY)
def test_a_definition(tmp_path: Path, name: str, options: dict[str, bool]) -> None:
    world, span = make(tmp_path, {"shop.py": SHOP}), ENTITY[name]
    subscribe(world, "shop.py::price", **options)
    base, target = edit(world, *span.before), edit(world, *span.after)
    assert told(scan(world, base, target)) == span.told


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((), ("round",), LINES),
        (("round",), ("tax",), QUIET),
        (("delete",), ("tax",), QUIET),
        (("round",), ("floor",), LINES),
    ],
)
def test_lines(tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...], expected: Told) -> None:
    world = make(tmp_path, {"shop.py": SHOP})
    subscribe(world, "shop.py:1-2")
    base, target = edit(world, *before), edit(world, *after)
    assert told(scan(world, base, target)) == expected


def test_users_that_are_gone_before_the_base(tmp_path: Path) -> None:
    world = make(tmp_path, {"shop.py": SHOP})
    subscribe(world, "shop.py::price", users=True)
    base, target = edit(world, "delete"), edit(world, "tax")
    assert told(scan(world, base, target)) == QUIET


def test_what_the_base_lacks_is_compared_as_accepted(tmp_path: Path) -> None:
    world = make(tmp_path, {"shop.py": "def tax(price):\n    return price * 2\n"})
    base = world.git("rev-parse", "HEAD")
    accepted = edit(world, "add")
    subscribe(world, "shop.py::price")
    assert told(scan(world, base, "HEAD")) == QUIET
    target = edit(world, "round")
    report = scan(world, base, target)
    [found] = report.findings
    assert found.trigger is not None
    assert (told(report), found.trigger.compared_with) == (BODY, ComparedWith.ACCEPTED)
    assert comparison_note(report, found) == f"compared as accepted at {accepted[:12]}, because {base[:12]} lacks it"


def test_what_was_accepted_later_is_quiet(tmp_path: Path) -> None:
    world = make(tmp_path, {"shop.py": SHOP})
    base = edit(world)
    edit(world, "round")
    subscribe(world, "shop.py::price")
    assert told(scan(world, base, "HEAD")) == QUIET


def test_what_was_acknowledged_stays_so(tmp_path: Path) -> None:
    world = make(tmp_path, {"shop.py": SHOP})
    subscription = subscribe(world, "shop.py::price")
    base, target = edit(world, "round"), edit(world, "floor")
    scan(world)
    do(world, "acknowledge", subscription)
    assert told(scan(world, base, target)) == QUIET


def test_apply_accepts_the_target(tmp_path: Path) -> None:
    """All that led to it is accepted, too; a shift alone does not accept what was changed before the base."""
    world = make(tmp_path, {"shop.py": SHOP})
    subscription = subscribe(world, "shop.py::price")
    base, target = edit(world, "round"), edit(world, "above")
    scan(world, base, target)
    assert skipped(accept(world)) == [
        (subscription.id, "it was changed before the base of that scan; scan without --base to accept it")
    ]
    assert current(world, subscription) == subscription
    base, target = target, edit(world, "floor")
    assert told(scan(world, base, target)) == BODY
    assert not accept(world).skipped
    assert scan(world).findings == ()


def test_the_form_for_ci_is_green_until_its_commit_changes_something(tmp_path: Path) -> None:
    world = make(tmp_path, {"shop.py": SHOP})
    subscribe(world, "shop.py::price", team=True)
    codes = []
    for word in ("round", "tax", "above", "floor"):
        edit(world, word)
        found = birthmark("scan", "--base", "HEAD~1", "--target", "HEAD", "--exit-code", cwd=world.root)
        codes.append(found.returncode)
    assert codes == [1, 0, 0, 1]


def test_the_commits_are_those_of_the_span(tmp_path: Path) -> None:
    world = make(tmp_path, {"shop.py": SHOP})
    subscribe(world, "shop.py::price")
    base, target = edit(world, "round"), edit(world, "floor")
    [found] = scan(world, base, target).findings
    assert sentence(found).startswith(f"body changed by {target[:12]}")
    assert found.trigger is not None
    assert found.trigger.explanation is not None
    lines = [line for hunk in found.trigger.explanation.hunks for line in hunk.lines if line[0] in "+-"]
    assert [text.strip() for _, text in lines] == list(EDITS["floor"])


@pytest.mark.parametrize("is_committed", [True, False])
def test_lines_are_gone_by_a_commit_or_an_edit(tmp_path: Path, is_committed: bool) -> None:
    world = make(tmp_path, {"shop.py": SHOP})
    subscribe(world, "shop.py:1-2")
    edit(world, "tax")
    world.replace("shop.py", *EDITS["delete"])
    by = f"in {world.commit()[:12]}" if is_committed else "in the worktree, not committed"
    world.write("other.py", "x = 1\n")
    [found] = scan(world).findings
    assert sentence(found).startswith(f"its lines are gone {by}")
