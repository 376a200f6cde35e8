"""One change is told once; and what else can be done about what is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from birthmark.app.scans.stored_scans import list_scans, read_scan
from birthmark.app.scans.subscription_repository import StoredSubscription, SubscriptionRepository, list_subscriptions
from birthmark.app.scans.subscriptions import update_subscription
from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.accept import read_until
from birthmark.subscriptions.model import Subscription
from birthmark.vocabulary import SubscriptionHome
from scanning import (
    Told,
    accept,
    assert_settles,
    current,
    details,
    do,
    in_session,
    make,
    scan,
    skipped,
    subscribe,
    told,
)
from worlds import World

CORE = """\
class Base:
    def close(self):
        return self.file.close()


class Cart(Base):
    def add(self, item):
        self.items.append(item)
        return len(self.items)


def total(prices, rate):
    result = 0
    for price in prices:
        result += price * rate
    return result
"""
APP = "from core import total\n\n\ndef main(args):\n    return total(args.prices, args.rate)\n"
FILES = {"core.py": CORE, "app.py": APP, "conf.yaml": "a: 1\nb: 2\nc: 3\n"}

Edit = Callable[[World], None]


def edit_body(world: World) -> None:
    world.replace("core.py", "price * rate", "price * rate * rate")


def edit_head(world: World) -> None:
    world.replace("core.py", "total(prices, rate)", "total(prices, rate, *, days)")


def shift(world: World) -> None:
    world.write("core.py", "import os\n" + world.read("core.py"))


def move(world: World) -> None:
    text = world.read("core.py")
    start = text.index("def total")
    world.write("core.py", text[:start].rstrip() + "\n")
    world.write("sums.py", text[start:])


def move_and_edit(world: World) -> None:
    move(world)
    world.replace("sums.py", "price * rate", "price * rate * rate")


def rename(world: World) -> None:
    world.replace("core.py", "def total", "def sum_up")


def rename_file(world: World) -> None:
    world.move("core.py", "deep/core.py")


def edit_lines(world: World) -> None:
    world.write("conf.yaml", world.read("conf.yaml").replace("b:", "bb:"))


def insert_line(world: World) -> None:
    world.write("conf.yaml", world.read("conf.yaml").replace("b: 2\n", "b: 2\nx: 9\n"))


def edit_member(world: World) -> None:
    world.replace("core.py", "append(item)", "append((item, 1))")


def edit_base(world: World) -> None:
    world.replace("core.py", "self.file.close()", "self.file.close(True)")


def edit_user(world: World) -> None:
    world.replace("app.py", "args.rate)", "args.rate or 1)")


def new_user(world: World) -> None:
    world.write("other.py", "import core\n\n\ndef again(x):\n    return core.total(x, 1)\n")


def comment(world: World) -> None:
    world.replace("core.py", "    result = 0", "    # From nothing.\n    result = 0")


CASES: dict[str, tuple[str, dict[str, Any], Edit]] = {
    "entity, body": ("core.py::total", {}, edit_body),
    "entity, head": ("core.py::total", {}, edit_head),
    "entity, shifted": ("core.py::total", {}, shift),
    "entity, moved": ("core.py::total", {}, move),
    "entity, moved and changed": ("core.py::total", {}, move_and_edit),
    "entity, renamed": ("core.py::total", {}, rename),
    "entity, file renamed": ("core.py::Cart.add", {}, rename_file),
    "entity, comment": ("core.py::total", {"cosmetic": True}, comment),
    "lines, changed": ("conf.yaml:1-2", {}, edit_lines),
    "lines, inserted": ("conf.yaml:1-3", {}, insert_line),
    "lines, shifted": ("core.py:8-9", {}, shift),
    "lines, file renamed": ("core.py:8-9", {}, rename_file),
    "members": ("core.py::Cart", {"include_members": True}, edit_member),
    "inherited members": ("core.py::Cart", {"include_members": True}, edit_base),
    "members, file renamed": ("core.py::Cart", {"include_members": True}, rename_file),
    "pattern": ("**::Cart.*", {}, edit_member),
    "pattern, file renamed": ("**/core.py::*", {}, rename_file),
    "users": ("core.py::total", {"users": True}, edit_user),
    "users, new": ("core.py::total", {"users": True}, new_user),
    "users, moved": ("core.py::total", {"users": True}, move),
}
every_case = pytest.mark.parametrize(("ref", "options", "edit"), CASES.values(), ids=CASES)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make(tmp_path, FILES)


# One change triggers once


@every_case
def test_in_commits(world: World, ref: str, options: dict[str, Any], edit: Edit) -> None:
    subscribe(world, ref, **options)
    assert scan(world).findings == ()
    edit(world)
    world.commit()
    assert_settles(world)
    world.commit()
    assert scan(world).findings == ()
    assert scan(world, "HEAD~1", "HEAD").findings == ()


@every_case
def test_in_the_worktree(world: World, ref: str, options: dict[str, Any], edit: Edit) -> None:
    """Dirty, then committed, then with further commits that have nothing to do with it."""
    subscribe(world, ref, **options)
    edit(world)
    assert_settles(world)
    world.commit()
    assert scan(world).findings == ()
    world.write("far.py", "def far(x):\n    return x\n")
    world.commit()
    assert scan(world).findings == ()


@every_case
def test_it_is_the_same_with_git_and_without(tmp_path: Path, ref: str, options: dict[str, Any], edit: Edit) -> None:
    found = []
    for name, with_git in (("with", True), ("without", False)):
        world = make(tmp_path / name, FILES, with_git=with_git)
        subscribe(world, ref, **options)
        assert scan(world).findings == ()
        edit(world)
        found.append(told(scan(world)))
        assert_settles(world)
    assert found[0] == found[1]


@every_case
@pytest.mark.parametrize("is_indexed_again", [False, True], ids=["indexed", "indexed again"])
def test_it_is_the_same_with_an_index(
    world: World, tmp_path_factory: pytest.TempPathFactory, ref: str, options: dict[str, Any], edit: Edit,
    is_indexed_again: bool,
) -> None:  # fmt: skip
    bare = make(tmp_path_factory.mktemp("bare"), FILES)
    world.index()
    for one in (bare, world):
        subscribe(one, ref, **options)
        edit(one)
    if is_indexed_again:
        world.index()
    assert told(scan(world)) == told(scan(bare))
    assert_settles(world)
    world.index()
    assert scan(world).findings == ()


def test_further_edits_are_further_changes(world: World) -> None:
    subscribe(world, "core.py::total")
    edit_body(world)
    assert_settles(world, Told("CONTENT", ("body_changed",)))
    edit_head(world)
    assert_settles(world, Told("STRUCTURAL", ("interface_changed",)))
    world.commit()
    assert scan(world).findings == ()
    shift(world)
    assert_settles(world, Told(None, (), ("line_shift",), "core.py:13-17", "high"))
    world.commit()
    rename(world)
    world.commit()
    assert_settles(world, Told(None, (), ("semantic_location",), "core.py:13-17", "high", "sum_up"))
    edit_body(world)
    assert_settles(world, Told("CONTENT", ("body_changed",)))


def test_not_applied_is_told_again_with_what_came_since(world: World) -> None:
    subscribe(world, "core.py::total")
    edit_body(world)
    world.commit()
    assert told(scan(world)).reasons == ("body_changed",)
    edit_head(world)
    world.commit()
    assert told(scan(world)).reasons == ("interface_changed", "body_changed")
    assert_settles(world)


def test_what_was_undone_is_not_told(world: World) -> None:
    subscribe(world, "core.py::total")
    edit_body(world)
    world.commit()
    scan(world)
    world.write("core.py", CORE)
    world.commit()
    assert scan(world).findings == ()


def test_path_lines_and_fingerprints_are_refreshed_together(world: World) -> None:
    before = subscribe(world, "core.py::total")
    move_and_edit(world)
    scan(world)
    accept(world)
    after = current(world, before).accepted
    assert (after.path, after.start_line, after.end_line) == ("sums.py", 1, 5)
    assert after.semantic is not None
    assert before.accepted.semantic is not None
    assert after.semantic.fingerprints.body != before.accepted.semantic.fingerprints.body
    assert after.semantic.fingerprints.interface == before.accepted.semantic.fingerprints.interface


def test_subscribed_at_a_revision(world: World) -> None:
    old = world.git("rev-parse", "HEAD")
    edit_body(world)
    world.commit()
    subscribe(world, "core.py::total", at=old)
    assert_settles(world, Told("CONTENT", ("body_changed",)))


def test_subscribed_in_a_dirty_worktree(world: World) -> None:
    edit_body(world)
    subscribe(world, "core.py::total")
    subscribe(world, "core.py:14-15")
    assert scan(world).findings == ()
    world.git("checkout", "-q", "--", "core.py")
    assert len(scan(world).triggers) == 2


# Only some, or not really


def test_only_some_are_applied(world: World) -> None:
    first, second = subscribe(world, "core.py::total"), subscribe(world, "core.py::Cart.add")
    edit_body(world)
    edit_member(world)
    scan(world)
    assert [one.id for one in accept(world, second.id).applied] == [second.id]
    assert [trigger.subscription_id for trigger in scan(world).triggers] == [first.id]


def test_dry_run(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    scan(world)
    done = accept(world, dry_run=True)
    assert [one.id for one in done.applied] == [subscription.id]
    assert current(world, subscription) == subscription
    assert len(scan(world).triggers) == 1


def test_what_has_nothing_new_is_said(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    scan(world)
    done = accept(world, subscription.id)
    assert (done.applied, skipped(done)) == ([], [(subscription.id, "the scan found nothing new")])
    assert (accept(world).applied, accept(world).skipped) == ([], [])


def test_what_is_missing_has_nothing_to_accept(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    world.write("core.py", "")
    scan(world)
    assert skipped(accept(world)) == [(subscription.id, "there is nothing to accept")]
    assert told(scan(world)).change == "MISSING"
    world.write("core.py", CORE)
    assert scan(world).findings == ()


def test_an_older_scan_is_applied_by_its_number(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    number = scan(world, target=world.commit()).scan
    edit_head(world)
    world.commit()
    scan(world)
    accept(world, scan=number)
    assert current(world, subscription).accepted.revision == world.git("rev-parse", "HEAD~1")
    assert told(scan(world)).reasons == ("interface_changed",)


# Refused


def test_the_file_changed_again(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    scan(world)
    edit_head(world)
    assert skipped(accept(world)) == [(subscription.id, "its file was changed since the scan; scan again")]
    assert current(world, subscription) == subscription
    assert_settles(world)


def test_the_file_is_gone_since(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    scan(world)
    world.remove("core.py")
    assert skipped(accept(world)) == [(subscription.id, "its file was changed since the scan; scan again")]


def test_the_subscription_changed(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    old = scan(world)
    edit_head(world)
    scan(world)
    accept(world)
    assert skipped(accept(world, report=old)) == [(subscription.id, "it was changed since the scan; scan again")]


def test_it_is_accepted_already(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    old = scan(world)
    accept(world)
    assert skipped(accept(world, report=old)) == [(subscription.id, "it is accepted already")]


def test_another_label_is_no_other_state(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    scan(world)
    in_session(world.root, update_subscription, subscription.id, {"label": "new"})
    assert [(one.id, one.label) for one in accept(world).applied] == [(subscription.id, "new")]


def test_the_subscription_was_deleted(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    scan(world)
    do(world, "delete", subscription)
    assert skipped(accept(world)) == [(subscription.id, "the subscription was deleted")]
    with pytest.raises(BirthmarkError, match="there is no such subscription"):
        accept(world, subscription.id)


def test_nothing_was_scanned(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    for attempt in (lambda: accept(world), lambda: do(world, "acknowledge", subscription)):
        with pytest.raises(BirthmarkError, match="there is no scan yet; run `birthmark scan` first"):
            attempt()
    with pytest.raises(BirthmarkError, match="there is no scan 7"):
        accept(world, scan=7)


# Acknowledge

FURTHER: dict[str, tuple[str, dict[str, Any], Edit, Edit]] = {
    "entity": ("core.py::total", {}, edit_body, lambda world: world.replace("core.py", "* rate * rate", "* rate * 2")),
    "lines": ("conf.yaml:1-2", {}, edit_lines, lambda world: world.write("conf.yaml", "a: 1\nbbb: 2\nc: 3\n")),
    "members": (
        "core.py::Cart",
        {"include_members": True},
        edit_member,
        lambda world: world.replace("core.py", "(item, 1)", "(item, 2)"),
    ),
    "inherited members": (
        "core.py::Cart",
        {"include_members": True},
        edit_base,
        lambda world: world.replace("core.py", "close(True)", "close(False)"),
    ),
    "pattern": ("**::Cart.*", {}, edit_member, lambda world: world.replace("core.py", "(item, 1)", "(item, 2)")),
    "users": (
        "core.py::total",
        {"users": True},
        edit_user,
        lambda world: world.replace("app.py", "rate or 1", "rate or 2"),
    ),
}


@pytest.mark.parametrize(("ref", "options", "edit", "further"), FURTHER.values(), ids=FURTHER)
def test_acknowledge(world: World, ref: str, options: dict[str, Any], edit: Edit, further: Edit) -> None:
    """Not told again until it changes further; and what is accepted stays what it was."""
    subscription = subscribe(world, ref, **options)
    edit(world)
    scan(world)
    do(world, "acknowledge", subscription)
    assert current(world, subscription).accepted == subscription.accepted
    report = scan(world)
    assert ([str(found.muted) for found in report.findings], report.triggers) == (["acknowledged"], [])
    world.commit()
    assert scan(world).triggers == []
    further(world)
    assert len(scan(world).triggers) == 1
    assert_settles(world)
    assert current(world, subscription).acknowledged is None


def test_what_is_missing_can_be_acknowledged(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    world.remove("core.py")
    scan(world)
    do(world, "acknowledge", subscription)
    assert scan(world).triggers == []


def test_there_is_nothing_to_acknowledge(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    scan(world)
    with pytest.raises(BirthmarkError, match="the last scan found nothing to acknowledge; run `birthmark scan`"):
        do(world, "acknowledge", subscription)


# Snooze, deactivate, reactivate, delete


def test_snooze(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    do(world, "snooze", subscription, "1h")
    report = scan(world)
    assert (report.triggers, [str(found.muted) for found in report.findings]) == ([], ["snoozed"])
    do(world, "snooze", subscription, "2020-01-01")
    assert len(scan(world).triggers) == 1


def test_what_snoozes_is_not_accepted_unseen(world: World) -> None:
    """It is told once it wakes, unless somebody accepts it by its name."""
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    do(world, "snooze", subscription, "1h")
    scan(world)
    assert skipped(accept(world)) == [(subscription.id, "it is snoozed; name it to accept it")]
    do(world, "reactivate", subscription)
    assert len(scan(world).triggers) == 1
    do(world, "snooze", subscription, "1h")
    scan(world)
    assert [one.id for one in accept(world, subscription.id).applied] == [subscription.id]


def test_deactivate_and_reactivate(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    assert do(world, "deactivate", subscription).active is False
    report = scan(world)
    assert (report.findings, report.n_inactive, report.n_unchanged) == ((), 1, 0)
    assert do(world, "reactivate", subscription).active is True
    assert_settles(world)


def test_reactivating_wakes(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    edit_body(world)
    do(world, "snooze", subscription, "2w")
    assert do(world, "reactivate", subscription).snoozed_until is None
    assert len(scan(world).triggers) == 1


def test_delete(world: World) -> None:
    subscription = subscribe(world, "core.py::total")
    do(world, "delete", subscription)
    assert list_subscriptions(find_workspace(world.root)) == []
    with pytest.raises(BirthmarkError, match="there is no such subscription"):
        do(world, "delete", subscription)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12h", "2026-01-01T12:00:00Z"),
        ("3d", "2026-01-04T00:00:00Z"),
        ("2w", "2026-01-15T00:00:00Z"),
        ("2026-12-31", "2026-12-31T00:00:00Z"),
        ("2026-12-31T10:00:00", "2026-12-31T10:00:00Z"),
        ("2026-12-31T10:00:00+02:00", "2026-12-31T08:00:00Z"),
    ],
)
def test_until(text: str, expected: str) -> None:
    assert read_until(text, datetime(2026, 1, 1, tzinfo=UTC)) == expected


@pytest.mark.parametrize("text", ["", "soon", "-1d", "1", "d", "99999999999999d", "2026-13-01", "2026-12-31T99"])
def test_no_until(text: str) -> None:
    with pytest.raises(BirthmarkError, match="is no time; write 3d, 12h, 2w or 2026-12-31"):
        read_until(text)


# Both shelves, flags, history


def test_both_shelves_at_once(world: World) -> None:
    own, ours = subscribe(world, "core.py::total"), subscribe(world, "core.py::total", team=True)
    edit_body(world)
    assert {trigger.subscription_id for trigger in scan(world).triggers} == {own.id, ours.id}
    do(world, "acknowledge", ours)
    assert [trigger.subscription_id for trigger in scan(world).triggers] == [own.id]
    accept(world)
    assert scan(world).findings == ()
    assert {kept.subscription.id: kept.home for kept in list_subscriptions(find_workspace(world.root))} == {
        own.id: "index",
        ours.id: "team",
    }
    do(world, "delete", ours)
    assert [kept.subscription.id for kept in list_subscriptions(find_workspace(world.root))] == [own.id]


def test_the_index_can_be_rebuilt(world: World) -> None:
    world.index()
    subscription = subscribe(world, "core.py::total")
    for file in world.workspace.home.iterdir():
        if not file.name.startswith("subscriptions"):
            file.unlink()
    world.index()
    edit_body(world)
    assert [trigger.subscription_id for trigger in scan(world).triggers] == [subscription.id]


def test_members_that_are_asked_for_later(world: World) -> None:
    """They are accepted as they are; what is not yet accepted of the rest is still told."""
    subscription = subscribe(world, "core.py::Cart")
    world.replace("core.py", "class Cart(Base)", "class Cart(Base, dict)")
    in_session(world.root, update_subscription, subscription.id, {"include_members": True})
    assert told(scan(world)).reasons == ("interface_changed",)
    assert_settles(world)
    edit_base(world)
    assert [one["name"] for one in details(scan(world))["inherited"]] == ["close"]
    assert_settles(world)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"accepted": None}, "accepted: cannot be changed"),
        ({"id": "x"}, "id: cannot be changed"),
        ({"include_members": True}, "is not about an entity, so it has no members"),
    ],
)
def test_what_cannot_be_changed(world: World, changes: dict[str, object], message: str) -> None:
    subscription = subscribe(world, "conf.yaml:1-2")
    with pytest.raises(BirthmarkError, match=message):
        in_session(world.root, update_subscription, subscription.id, changes)


def test_scans_are_kept_and_listed(world: World) -> None:
    assert list_scans(find_workspace(world.root)) == []
    subscribe(world, "core.py::total")
    scan(world)
    edit_body(world)
    report = scan(world)
    assert scan(world, record=False).scan is None
    assert [(row.scan, row.triggers) for row in list_scans(find_workspace(world.root))] == [(2, 1), (1, 0)]
    assert read_scan(find_workspace(world.root), 2) == report
    assert [row.scan for row in list_scans(find_workspace(world.root), limit=1)] == [2]


@pytest.mark.parametrize("ref", ["core.py::total", "total", "MARK", "KEY", "core.py:12"])
def test_any_ref_will_do(world: World, ref: str) -> None:
    world.index()
    named = {"MARK": world.mark("core.py::total"), "KEY": world.key("core.py::total")}.get(ref, ref)
    subscription = subscribe(world, named, entity=True)
    assert subscription.accepted.semantic is not None
    assert subscription.accepted.semantic.qualname == "total"
    assert subscription.accepted.mark == world.mark("core.py::total")


def test_a_mark_leads_where_pairing_alone_does_not(world: World) -> None:
    """The index saw each step; scanned is only after the last."""
    world.index()
    subscribe(world, "core.py::total")
    rename(world)
    world.index()
    world.replace(
        "core.py", "for price in prices:\n        result += price * rate", "while prices:\n        result = rate"
    )
    world.index()
    world.replace("core.py", "result = 0\n", "result = [rate]\n")
    world.index()
    found = told(scan(world))
    assert (found.name, found.reasons) == ("sum_up", ("body_changed",))
    assert_settles(world)


# Odd states


def rewrite(world: World, subscription: Subscription, **accepted: Any) -> None:
    """As if it had been accepted otherwise."""
    changed = replace(subscription, accepted=replace(subscription.accepted, **accepted))
    SubscriptionRepository(world.workspace).put([StoredSubscription(changed, SubscriptionHome.PERSONAL)])


@every_case
def test_a_commit_that_this_clone_lacks(world: World, ref: str, options: dict[str, Any], edit: Edit) -> None:
    """It was accepted on a branch that was never pushed; what HEAD has is the next best."""
    subscription = subscribe(world, ref, **options)
    rewrite(world, subscription, revision="0" * 40)
    assert scan(world).findings == ()
    edit(world)
    assert_settles(world)


@every_case
def test_before_the_first_commit(tmp_path: Path, ref: str, options: dict[str, Any], edit: Edit) -> None:
    world = World(tmp_path, FILES, with_git=True)
    subscribe(world, ref, **options)
    assert scan(world).findings == ()
    edit(world)
    found = told(scan(world))
    world.commit()
    assert_settles(world, found)
    world.commit()
    assert scan(world).findings == ()


def test_fingerprints_of_another_version(world: World) -> None:
    """They cannot be compared: the old text is read again, and applying makes them new."""
    subscription = subscribe(world, "core.py::total")
    semantic = subscription.accepted.semantic
    assert semantic is not None
    strange = replace(semantic.fingerprints, version=0, interface="x", body="y", content="z", text="t", declaration="d")
    rewrite(world, subscription, semantic=replace(semantic, fingerprints=strange))
    assert scan(world).triggers == []
    shift(world)
    assert told(scan(world))[:3] == (None, (), ("line_shift",))
    edit_body(world)
    assert told(scan(world)).reasons == ("body_changed",)
    assert_settles(world)


def test_history_is_rewritten(world: World) -> None:
    subscribe(world, "core.py::total")
    edit_body(world)
    world.commit()
    assert_settles(world)
    world.git("commit", "-q", "--amend", "-m", "other words")
    world.git("reflog", "expire", "--expire=now", "--all")
    world.git("gc", "-q", "--prune=now")
    assert scan(world).findings == ()
    edit_head(world)
    assert_settles(world, Told("STRUCTURAL", ("interface_changed",)))


def test_another_branch(world: World) -> None:
    """What is accepted here is told there, where it is otherwise; and told once."""
    world.git("branch", "other")
    subscribe(world, "core.py::total")
    edit_body(world)
    world.commit()
    assert_settles(world)
    world.git("checkout", "-q", "other")
    assert_settles(world, Told("CONTENT", ("body_changed",)))
