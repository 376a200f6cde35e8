"""Seed 004: a construct that is not where it was is looked for in its file, and then in all files that changed.

Each test is named after a bullet of the seed's testing strategy, or of its edge cases.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from birthmark.documents.scans import report_document
from birthmark.documents.subscriptions import subscription_document
from birthmark.subscriptions.model import Subscription
from birthmark.vocabulary import SubscriptionHome
from scanning import QUIET, Told, accept, current, describe, details, make, scan, subscribe, told
from worlds import World

TOTAL = """\
def total(prices, rate):
    result = 0
    for price in prices:
        result += price * rate
    return result
"""
OTHER = """\
def describe(item):
    name = item["name"].strip()
    return f"{name}: {item['price']:.2f}"
"""
THIRD = """\
def find(rows, name):
    for row in rows:
        if row[0] == name:
            return row
    return None
"""
FIRST = f"{TOTAL}\n\n{OTHER}"
JAVA = "class %s {\n    static int total(int[] prices, int rate) { return prices.length * rate; }\n}\n"
MOVED = ("moved_cross_file",)


def with_body(text: str) -> str:
    """The same head over another body, which still has the most of the old."""
    return text.replace("result = 0", "result = 0.0")


def with_head(text: str) -> str:
    return text.replace("prices, rate)", "prices, rate, *, currency)")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """`total` is what everybody subscribes to."""
    return make(tmp_path, {"a.py": FIRST, "b.py": THIRD})


def move(world: World, target: str, text: str = TOTAL) -> None:
    """Take `total` out of its file, and put it, as it may be now, into another."""
    world.write("a.py", OTHER)
    known = (world.root / target).exists()
    world.write(target, f"{world.read(target)}\n\n{text}" if known else text)


# Critical tests


def test_old_file_deleted_and_construct_moved(world: World) -> None:
    subscribe(world, "a.py::total")
    world.remove("a.py")
    world.write("new.py", f"{THIRD}\n\n{TOTAL}")
    world.remove("b.py")
    base, target = world.git("rev-parse", "HEAD"), world.commit()
    assert told(scan(world, base, target)) == Told(None, (), MOVED, "new.py:8-12", "high")


def test_single_match_cross_file(world: World) -> None:
    subscribe(world, "a.py::total")
    move(world, "b.py")
    base, target = world.git("rev-parse", "HEAD"), world.commit()
    assert told(scan(world, base, target)) == Told(None, (), MOVED, "b.py:8-12", "high")


# Duplicate behaviour tests


def duplicate(world: World) -> None:
    """Both could be it, as neither was there before."""
    move(world, "c.py")
    world.write("d.py", TOTAL)


def test_duplicates_with_trigger_on_duplicate_false(world: World) -> None:
    """No trigger and no proposal; but what is gone is not called unchanged, as the seed has it."""
    subscription = subscribe(world, "a.py::total")
    duplicate(world)
    report = scan(world)
    assert (report.triggers, report.proposals, report.n_unchanged) == ([], [], 0)
    assert msgspec.to_builtins(report_document(report).ambiguous) == [
        {
            "subscription_id": subscription.id,
            "repository": None,
            "path": "a.py",
            "start_line": 1,
            "end_line": 5,
            "label": None,
            "locations": ("c.py:1", "d.py:1"),
        }
    ]


def test_duplicates_with_trigger_on_duplicate_true(world: World) -> None:
    subscribe(world, "a.py::total", trigger_on_duplicate=True)
    duplicate(world)
    report = scan(world)
    assert told(report) == Told("AMBIGUOUS", ("duplicate_found",))
    assert details(report) == {"locations": ["c.py:1", "d.py:1"]}


@pytest.mark.parametrize("flag", [False, True])
def test_a_copy_beside_the_original_is_no_duplicate(world: World, flag: bool) -> None:
    subscribe(world, "a.py::total", trigger_on_duplicate=flag)
    world.write("c.py", TOTAL)
    world.write("d.py", TOTAL)
    assert scan(world).findings == ()


# Change detection tests


def test_cross_file_move_with_content_change(world: World) -> None:
    subscribe(world, "a.py::total")
    move(world, "b.py", with_body(TOTAL))
    found = told(scan(world))
    assert found[:4] == ("CONTENT", ("body_changed",), MOVED, "b.py:8-12")


def test_cross_file_move_with_interface_change(world: World) -> None:
    subscribe(world, "a.py::total")
    move(world, "b.py", with_head(TOTAL))
    found = told(scan(world))
    assert found[:4] == ("STRUCTURAL", ("interface_changed",), MOVED, "b.py:8-12")


# Boundary tests


def test_language_boundary(tmp_path: Path) -> None:
    """Even where both have the same text, a function of one language is not one of another."""
    text = (
        "function total(prices, rate) {\n  let sum = 0;\n  for (const p of prices) sum += p * rate;\n  return sum;\n}\n"
    )
    world = make(tmp_path, {"a.js": text, "b.py": THIRD})
    subscribe(world, "a.js::total")
    world.remove("a.js")
    world.write("a.php", "<?php\n" + text)
    world.write("b.py", text)
    assert told(scan(world)) == Told("MISSING", ("file_deleted",))


def test_language_boundary_between_python_and_java(world: World) -> None:
    subscribe(world, "a.py::total")
    world.write("a.py", OTHER)
    world.write("Total.java", JAVA % "Total")
    assert told(scan(world)) == Told("MISSING", ("semantic_target_missing",))


def test_skip_deleted_files(world: World) -> None:
    """A copy in a file that is gone, too, is no place to point at."""
    world.write("copy.py", TOTAL)
    world.commit()
    subscribe(world, "a.py::total")
    world.remove("a.py")
    world.remove("copy.py")
    assert told(scan(world)) == Told("MISSING", ("file_deleted",))


def test_skip_binary_files(world: World) -> None:
    subscribe(world, "a.py::total")
    world.write("a.py", OTHER)
    (world.root / "c.py").write_bytes(b"\x00\x01\x02" + TOTAL.encode())
    (world.root / "d.png").write_bytes(b"\x89PNG\r\n\x1a\n" + TOTAL.encode())
    assert told(scan(world)) == Told("MISSING", ("semantic_target_missing",))


def test_skip_original_file(world: World) -> None:
    """What is still in the file, under another name, has not moved to another file."""
    subscribe(world, "a.py::total")
    world.replace("a.py", "total", "sum_up")
    found = told(scan(world))
    assert found.moves == ("semantic_location",)
    assert found.place == "a.py:1-5"


# Edge case tests


def test_file_rename_and_cross_file_move(world: World) -> None:
    """The rest of the file goes one way, the construct another."""
    subscribe(world, "a.py::total")
    world.remove("a.py")
    world.write("renamed.py", OTHER)
    world.write("b.py", f"{THIRD}\n\n{TOTAL}")
    assert told(scan(world)) == Told(None, (), MOVED, "b.py:8-12", "high")


def test_new_file_in_diff(world: World) -> None:
    subscribe(world, "a.py::total")
    move(world, "fresh.py")
    base, target = world.git("rev-parse", "HEAD"), world.commit()
    assert told(scan(world, base, target)) == Told(None, (), MOVED, "fresh.py:1-5", "high")


def test_working_tree_scan(world: World) -> None:
    """Also into a file that git does not track."""
    subscribe(world, "a.py::total")
    move(world, "fresh.py")
    report = scan(world)
    assert report.target == "the worktree"
    assert told(report) == Told(None, (), MOVED, "fresh.py:1-5", "high")


# Confidence tests


@pytest.mark.parametrize(
    ("bullet", "edit", "confidence"),
    [
        ("exact match", lambda text: text, "high"),
        ("body-only match", with_head, "medium"),
        ("interface-only match", with_body, "low"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_confidence(world: World, bullet: str, edit: Callable[[str], str], confidence: str) -> None:
    subscribe(world, "a.py::total")
    move(world, "b.py", edit(TOTAL))
    assert told(scan(world)).confidence == confidence, bullet


# Serialization tests


def test_subscription_to_dict(world: World) -> None:
    for flag in (False, True):
        subscription = subscribe(world, "a.py::total", trigger_on_duplicate=flag)
        document = json.loads(msgspec.json.encode(subscription_document(subscription, SubscriptionHome.PERSONAL)))
        assert document["trigger_on_duplicate"] is flag
        assert current(world, subscription).trigger_on_duplicate is flag


def test_subscription_from_dict() -> None:
    old = msgspec.json.decode(b'{"id": "sub-1", "ref": "a.py::total"}', type=Subscription)
    assert old.trigger_on_duplicate is False


# Edge cases considered


def test_construct_renamed_and_moved(world: World) -> None:
    subscribe(world, "a.py::total")
    move(world, "b.py", TOTAL.replace("total", "sum_up"))
    found = told(scan(world))
    assert found == Told(None, (), MOVED, "b.py:8-12", "high", "sum_up")


def test_file_in_diff_but_not_readable(world: World) -> None:
    """It is passed over and named, and the others are looked at."""
    subscribe(world, "a.py::total")
    move(world, "b.py")
    (world.root / "c.py").write_text("x = 1\n")
    (world.root / "d.py").symlink_to("nowhere.py")
    (world.root / "e.py").write_bytes(b"\xff\xfe\x00d\xd8" * 3)
    assert told(scan(world)).place == "b.py:8-12"


def test_own_file_not_readable(world: World) -> None:
    subscribe(world, "a.py::total")
    (world.root / "a.py").write_bytes(b"\x00" * 50)
    found = told(scan(world))
    assert found.change == "MISSING"


def test_binary_files_in_diff(world: World) -> None:
    test_skip_binary_files(world)


def test_unsupported_language_files(world: World) -> None:
    subscribe(world, "a.py::total")
    world.write("a.py", OTHER)
    for name in ("notes.txt", "total.unknown", "Makefile", "data.json"):
        world.write(name, TOTAL)
    assert told(scan(world)) == Told("MISSING", ("semantic_target_missing",))


def test_empty_diff(world: World) -> None:
    """Nothing differs, so nothing is told; what is not even in the base is missing."""
    subscribe(world, "a.py::total")
    head = world.git("rev-parse", "HEAD")
    assert told(scan(world, head, head)) == QUIET
    world.write("a.py", OTHER)
    gone = world.commit()
    assert told(scan(world, gone, gone)) == Told("MISSING", ("semantic_target_missing",))


def test_construct_moved_to_new_file(world: World) -> None:
    test_new_file_in_diff(world)


def test_file_renamed_and_construct_moved_elsewhere(world: World) -> None:
    test_file_rename_and_cross_file_move(world)


def test_file_renamed_and_construct_goes_with_it(world: World) -> None:
    subscribe(world, "a.py::total")
    world.move("a.py", "renamed.py")
    assert told(scan(world)) == Told(None, (), ("rename",), "renamed.py:1-5", "high")


def test_old_file_deleted(world: World) -> None:
    subscribe(world, "a.py::total")
    world.remove("a.py")
    assert told(scan(world)) == Told("MISSING", ("file_deleted",))


def test_working_tree_scan_reads_the_disk(world: World) -> None:
    """What is staged is not what stands in the file."""
    subscribe(world, "a.py::total")
    world.write("a.py", OTHER)
    world.git("add", "a.py")
    world.write("a.py", FIRST)
    assert told(scan(world)) == QUIET


def test_false_positives(world: World) -> None:
    """What has nothing of it in common is not proposed, not even with little confidence."""
    subscribe(world, "a.py::total")
    move(world, "b.py", "def unrelated(path):\n    with open(path) as file:\n        return file.read()\n")
    assert told(scan(world)) == Told("MISSING", ("semantic_target_missing",))


@pytest.mark.parametrize("flag", [False, True])
def test_duplicates_within_single_file(world: World, flag: bool) -> None:
    subscribe(world, "a.py::total", trigger_on_duplicate=flag)
    world.write("a.py", OTHER)
    world.write("c.py", TOTAL.replace("total", "one") + "\n\n" + TOTAL.replace("total", "two"))
    report = scan(world)
    assert [finding.locations for finding in report.ambiguous] == [("c.py:1", "c.py:8")]
    assert [trigger.change_type for trigger in report.triggers] == (["AMBIGUOUS"] if flag else [])


# Stages 1 and 2


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda text: text, QUIET),
        (lambda text: "# a line\n\n" + text, Told(None, (), ("line_shift",), "a.py:3-7", "high")),
        (with_body, Told("CONTENT", ("body_changed",))),
        (with_head, Told("STRUCTURAL", ("interface_changed",))),
        (
            lambda text: with_head(with_body("\n" + text)),
            Told("STRUCTURAL", ("interface_changed", "body_changed"), ("line_shift",), "a.py:2-6", "high"),
        ),
        (
            lambda text: text.replace("total", "sum_up"),
            Told(None, (), ("semantic_location",), "a.py:1-5", "high", "sum_up"),
        ),
        (lambda text: OTHER, Told("MISSING", ("semantic_target_missing",))),
        (lambda text: "", Told("MISSING", ("semantic_target_missing",))),
    ],
    ids=["unchanged", "line_shift", "content", "structural", "both and shifted", "renamed", "missing", "emptied"],
)
def test_in_its_file(world: World, edit: Callable[[str], str], expected: Told) -> None:
    subscribe(world, "a.py::total")
    world.write("a.py", edit(FIRST))
    assert told(scan(world)) == expected


def test_many_subscriptions_at_once(world: World) -> None:
    subscriptions = [subscribe(world, ref) for ref in ("b.py::find", "a.py::total", "a.py::describe")]
    world.write("b.py", THIRD.replace("None", "()"))
    world.write("a.py", with_head(FIRST))
    report = scan(world)
    assert {found.subscription.id: describe(found).change for found in report.findings} == {
        subscriptions[0].id: "CONTENT",
        subscriptions[1].id: "STRUCTURAL",
    }
    assert report.n_unchanged == 1
    accept(world)
    assert scan(world).findings == ()
