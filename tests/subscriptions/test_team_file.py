"""Subscriptions of a team in `birthmark.toml`: they come back as they were, and all else stays."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.app.scans.subscription_repository import list_subscriptions
from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.model import Accepted, AcceptedFingerprints, Anchors, Member, Semantic, Subscription
from birthmark.subscriptions.team_file import read_team, write_team
from birthmark.vocabulary import SubscriptionTarget
from scanning import accept, assert_settles, current, do, make, scan, subscribe
from worlds import World, run_git

FILE = "birthmark.toml"

hostile = st.sampled_from(
    [
        '"""',
        "'''",
        '"',
        "\\",
        "\\u0041",
        "\n[subscriptions.sub-0000000001]\n",
        "\r\n",
        "\r",
        "\u2028[subscriptions.sub-1]",
        "\x85[tool]",
        "\x0b[x]",
        "\x0c",
        "\x1c[x]\n",
        "# no comment",
        "= 1",
        "]",
        "}",
        "\x7f",
        "\x80",
        "\ufeff",
        "\U0001f600",
        "\0",
        "a.b",
        " ",
    ]
)
texts = st.lists(hostile | st.text(st.characters(codec="utf-8"), max_size=5), max_size=4).map("".join)
maybe = st.none() | texts
ids = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=10, max_size=10).map("sub-{}".format)
prints = st.builds(AcceptedFingerprints, texts, texts, texts, texts, st.integers(0, 9), maybe, maybe)
semantics = st.builds(Semantic, texts, texts, texts, prints, st.integers(0, 99))
members = st.builds(Member, texts, texts, prints, st.booleans(), maybe)
some = st.lists(texts, max_size=2).map(tuple)
anchors = st.builds(Anchors, some, texts, some, texts)
states = st.builds(
    Accepted,
    path=texts,
    start_line=st.integers(0, 99),
    end_line=st.integers(0, 99),
    mark=maybe,
    semantic=st.none() | semantics,
    members=st.lists(members, max_size=2).map(tuple),
    anchors=st.none() | anchors,
    revision=maybe,
    files=st.dictionaries(texts, texts, max_size=2),
    digest=maybe,
)
flags = {name: st.booleans() for name in ("active", "trigger_on_duplicate", "include_members", "track_decorators")}
subscriptions = st.builds(
    Subscription,
    id=ids,
    ref=texts,
    target=st.sampled_from(SubscriptionTarget),
    label=maybe,
    description=maybe,
    snoozed_until=maybe,
    acknowledged=maybe,
    created_at=texts,
    accepted=states,
    **flags,
)
crowds = st.lists(subscriptions, max_size=3, unique_by=lambda one: one.id)
OTHERS = [
    "",
    "# Ours.\n",
    "max_bytes = 1\n",
    '[index]\nexclude = [\n  "a",  # why\n]\n',
    '[a]\nx = """\n[b]\n"""\n\n# The end.\n[[c]]\ny = 1\n\n[[c]]\ny = 2\n',
    "[a]\nx = [\n[1],\n[2],\n]\n",
    '["subscriptionsx"]\na = 1\n',
]


@given(st.sampled_from(OTHERS), crowds, crowds)
def test_they_come_back_as_they_were(other: str, first: list[Subscription], second: list[Subscription]) -> None:
    text = write_team(other, FILE, first)
    assert read_team(text, FILE, Subscription).items == sorted(first, key=lambda one: one.id)
    kept = {one.id for one in second}
    text = write_team(text, FILE, second, [one for one in first if one.id not in kept])
    assert read_team(text, FILE, Subscription).items == sorted(second, key=lambda one: one.id)
    assert text.startswith(other.rstrip("\n"))


@given(st.sampled_from(OTHERS), crowds)
def test_what_is_taken_out_leaves_no_trace(other: str, crowd: list[Subscription]) -> None:
    text = write_team(other, FILE, crowd)
    assert write_team(text, FILE, crowd) == text
    assert write_team(text, FILE, [], crowd).rstrip("\n") == other.rstrip("\n")


def entry(number: int, **more: Any) -> Subscription:
    return Subscription(id=f"sub-{number:010}", ref=f"a{number}.py::f", label=f"number {number}", **more)


def test_each_is_a_table_with_a_line_a_value() -> None:
    accepted = Accepted(path="a b.py", start_line=1, end_line=2, files={"a b.py": "00ff"})
    assert write_team("", FILE, [entry(1, accepted=accepted)]) == (
        "[subscriptions.sub-0000000001]\n"
        'ref = "a1.py::f"\n'
        'label = "number 1"\n'
        'accepted.path = "a b.py"\n'
        "accepted.start_line = 1\n"
        "accepted.end_line = 2\n"
        'accepted.files."a b.py" = "00ff"\n'
    )


def test_other_tables_comments_and_order_are_kept() -> None:
    text = (
        "# Settings of ours.\n"
        "[index]\n"
        'exclude = ["vendor"]  # not ours\n'
        "\n"
        "# Ask Ada before you change this.\n"
        "[subscriptions.sub-0000000001]\n"
        'ref = "a.py::f"  # the entry point\n'
        "\n"
        "# This one is of the payments team.\n"
        "[subscriptions.sub-0000000002]\n"
        'ref = "b.py::f"\n'
        "\n"
        "# Last.\n"
        "[limits]\n"
        "max_bytes = 100\n"
    )
    changed = write_team(text, FILE, [entry(1), entry(3)])
    assert [line for line in changed.splitlines() if line.startswith("#")] == [
        "# Settings of ours.",
        "# Last.",
        "# Ask Ada before you change this.",
        "# This one is of the payments team.",
    ]
    parts = [
        "# Settings of ours.\n[index]\n",
        '\n# Ask Ada before you change this.\n[subscriptions.sub-0000000001]\nref = "a1.py::f"\n',
        '\n# This one is of the payments team.\n[subscriptions.sub-0000000002]\nref = "b.py::f"\n',
        "\n[subscriptions.sub-0000000003]\n",
        "\n# Last.\n[limits]\nmax_bytes = 100\n",
    ]
    assert all(part in changed for part in parts), changed
    deleted = write_team(changed, FILE, [], [entry(2), entry(3)])
    assert "payments" not in deleted
    assert "Ada" in deleted
    assert "# Last.\n[limits]" in deleted


def test_an_entry_that_is_not_changed_keeps_its_text() -> None:
    text = "[subscriptions.sub-0000000001]\n  ref   = 'a.py::f' # so\n"
    assert text in write_team(text, FILE, [entry(2), entry(0)])


# Merging


def merge(root: Path, base: str, ours: str, theirs: str) -> tuple[int, str]:
    for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
        (root / name).write_text(text, "utf-8")
    try:
        return 0, run_git(root, "merge-file", "-p", "ours", "base", "theirs") + "\n"
    except subprocess.CalledProcessError as error:
        return error.returncode, error.stdout


def ids_in(text: str) -> list[str]:
    return [str(int(one.id.removeprefix("sub-"))) for one in read_team(text, FILE, Subscription).items]


@pytest.mark.parametrize("other", ["", "[index]\nexclude = []\n"])
@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ([3], [1], [5], ["1", "3", "5"]),
        ([3, 6], [4], [8], ["3", "4", "6", "8"]),
        ([3, 6], [1, 2], [4, 5, 9], ["1", "2", "3", "4", "5", "6", "9"]),
    ],
)
def test_two_branches_that_each_add_some_merge_cleanly(
    tmp_path: Path, other: str, base: list[int], ours: list[int], theirs: list[int], expected: list[str]
) -> None:
    text = write_team(other, FILE, map(entry, base))
    sides = [write_team(text, FILE, map(entry, side)) for side in (ours, theirs)]
    conflicts, merged = merge(tmp_path, text, *sides)
    assert (conflicts, ids_in(merged)) == (0, expected)
    assert write_team(merged, FILE, []) == merged


def test_one_adds_and_one_changes(tmp_path: Path) -> None:
    text = write_team("", FILE, map(entry, (3, 6, 8)))
    ours = write_team(text, FILE, [entry(1)], [entry(8)])
    theirs = write_team(text, FILE, [entry(3, active=False)])
    conflicts, merged = merge(tmp_path, text, ours, theirs)
    assert (conflicts, ids_in(merged)) == (0, ["1", "3", "6"])
    assert [one.active for one in read_team(merged, FILE, Subscription).items] == [True, False, True]


# Broken ones

BROKEN = {
    "no TOML": "[subscriptions.a\n",
    "twice": '[subscriptions.a]\nref = "x"\n[subscriptions.a]\nref = "y"\n',
    "conflict markers": "<<<<<<< HEAD\n[subscriptions.a]\nref = 'x'\n=======\n>>>>>>> other\n",
    "no ref": "[subscriptions.a]\nlabel = 'x'\n",
    "ref is a number": "[subscriptions.a]\nref = 1\n",
    "an unknown target": "[subscriptions.a]\nref = 'x'\ntarget = 'moon'\n",
    "not a table": "subscriptions = 1\n",
    "a list of tables": "[[subscriptions]]\nref = 'x'\n",
    "an entry that is no table": "[subscriptions]\na = 1\n",
    "members that are none": "[subscriptions.a]\nref = 'x'\naccepted.members = [1]\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_entry_is_told_in_one_line(text: str) -> None:
    try:
        (found,) = read_team(text, FILE, Subscription).problems
        problem = f"{found.path}: {found.problem}"
    except BirthmarkError as error:
        problem = str(error)
    assert re.fullmatch(rf"{FILE}: .*correct th.*", problem)


def test_a_broken_entry_is_named_and_the_others_are_read() -> None:
    good = "[subscriptions.good]\nref = 'x'\n\n"
    team = read_team(good + "[subscriptions.bad]\nlabel = 'x'\n", FILE, Subscription)
    assert ([one.id for one in team.items], [one.problem.split(":")[0] for one in team.problems]) == (
        ["good"],
        ["subscriptions.bad"],
    )


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_not_changed(tmp_path: Path, text: str) -> None:
    world = make(tmp_path, {"a.py": "def f(a):\n    return a\n", FILE: text})
    with pytest.raises(BirthmarkError):
        subscribe(world, "a.py::f", team=True)
    assert world.read(FILE) == text


@pytest.mark.parametrize(
    "text", ["[subscriptions]\na.ref = 'x'\n", "subscriptions.a.ref = 'x'\n", "[subscriptions . a]\nref = 'x'\n"]
)
def test_entries_written_otherwise_are_read_and_never_lost(text: str) -> None:
    assert [one.id for one in read_team(text, FILE, Subscription).items] == ["a"]
    with pytest.raises(BirthmarkError, match="cannot be changed safely"):
        write_team(text, FILE, [entry(1)])


# In a repository

SOURCE = "def f(a):\n    return a\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make(tmp_path, {"a.py": SOURCE, FILE: "# Ours.\n[limits]\nmax_bytes = 1000000\n"})


def test_the_file_stays_what_it_was(world: World) -> None:
    (world.root / FILE).chmod(0o664)
    subscription = subscribe(world, "a.py::f", team=True, label="\u20ac \u2028 [x]")
    world.write("a.py", "def f(a):\n    return -a\n")
    assert_settles(world)
    assert current(world, subscription).label == "\u20ac \u2028 [x]"
    do(world, "delete", subscription)
    assert world.read(FILE) == "# Ours.\n[limits]\nmax_bytes = 1000000\n"
    assert (world.root / FILE).stat().st_mode & 0o777 == 0o664


def test_line_ends_are_kept(world: World) -> None:
    (world.root / FILE).write_bytes(b"# Ours.\r\n[limits]\r\nmax_bytes = 1000000\r\n")
    subscribe(world, "a.py::f", team=True)
    content = (world.root / FILE).read_bytes()
    assert content.startswith(b"# Ours.\r\n[limits]\r\nmax_bytes = 1000000\r\n")
    assert content.count(b"\n") == content.count(b"\r\n")
    assert len(list_subscriptions(find_workspace(world.root))) == 1


def test_a_colleague_has_the_same(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one accepted, the other need not: it is in the file."""
    subscription = subscribe(world, "a.py::f", team=True)
    world.write("a.py", "def f(a):\n    return -a\n")
    scan(world)
    accept(world)
    world.commit()
    clone = tmp_path_factory.mktemp("clone")
    world.git("clone", "-q", str(world.root), str(clone))
    colleague = World(clone)
    assert scan(colleague).findings == ()
    colleague.write("a.py", "def f(a):\n    return +a\n")
    [trigger] = scan(colleague).triggers
    assert (trigger.subscription_id, trigger.reasons) == (subscription.id, ("body_changed",))
    assert_settles(colleague)


def test_a_colleague_without_the_content_that_was_accepted(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It was accepted in a worktree that was never committed; its fingerprints still tell."""
    world.write("a.py", "def f(a):\n    return -a\n")
    subscribe(world, "a.py::f", team=True)
    subscribe(world, "a.py:1-2", team=True)
    world.git("add", FILE)
    world.git("commit", "-q", "-m", "m")
    clone = tmp_path_factory.mktemp("clone")
    world.git("clone", "-q", str(world.root), str(clone))
    colleague = World(clone)
    assert sorted(str(trigger.change_type) for trigger in scan(colleague).triggers) == ["CONTENT", "MISSING"]
    colleague.write("a.py", "import b\n\n\ndef f(a):\n    return -a\n")
    report = scan(colleague)
    assert (report.triggers, {proposal.reasons for proposal in report.proposals}) == ([], {("line_shift",)})


@pytest.mark.parametrize("team", [False, True])
@pytest.mark.parametrize("field", ["label", "description"])
def test_what_is_no_text_is_refused_in_a_line(world: World, team: bool, field: str) -> None:
    """A shell in another encoding hands over bytes that are no UTF-8."""
    with pytest.raises(BirthmarkError, match=f"{field}: is not UTF-8"):
        subscribe(world, "a.py::f", team=team, **{field: "caf\udce9"})
    assert list_subscriptions(find_workspace(world.root)) == []


def test_toml_has_the_last_word(world: World) -> None:
    subscribe(world, "a.py::f", team=True, description='"""\n[subscriptions.x]\n')
    tables = tomllib.loads(world.read(FILE))
    assert set(tables) == {"limits", "subscriptions"}


PATTERN_OF_ALL = "[subscriptions.sub-aaaaaaaaaa]\nref = '**'\ntarget = 'pattern'\n"
BEYOND = """[subscriptions.sub-bbbbbbbbbb]
ref = "a.py:50-60"
target = "lines"
accepted.path = "a.py"
accepted.start_line = 50
accepted.end_line = 60
accepted.anchors = {before = ["w"], first = "x", after = ["y"], text = "z"}
accepted.files = {"a.py" = "FOUND"}
"""
NOT_COMPARABLE = {
    "a pattern without names": (PATTERN_OF_ALL, "sub-aaaaaaaaaa: **: is no pattern"),
    "lines beyond the file": (BEYOND, "sub-bbbbbbbbbb: a.py:51-61: the file has lines 1 to 3"),
    "lines without a text": (
        BEYOND.replace("accepted.anchors", "# "),
        "sub-bbbbbbbbbb: `accepted.anchors` is missing",
    ),
    "an entity that is none": ("[subscriptions.b]\nref = 'a.py::f'\n", "b: `accepted.path` is missing"),
    "an unknown target": (BROKEN["an unknown target"], "birthmark.toml: subscriptions.a: Invalid enum value 'moon'"),
}


@pytest.mark.parametrize(("text", "expected"), NOT_COMPARABLE.values(), ids=NOT_COMPARABLE)
def test_an_entry_that_cannot_be_compared_stops_no_other(tmp_path: Path, text: str, expected: str) -> None:
    world = make(tmp_path, {"a.py": "def f(a):\n    return a\n"})
    subscribe(world, "a.py::f")
    world.write(FILE, text.replace("FOUND", world.git("rev-parse", "HEAD:a.py")))
    world.write("a.py", "def f(a):\n    return a + 1\n\n")
    world.index()
    report = scan(world)
    assert len(report.triggers) == 1
    (problem,) = report.problems
    assert f"{problem.path}: {problem.problem}".startswith(expected)
