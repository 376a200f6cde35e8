"""`subscribe`, `subscriptions`, `scan` and `apply` as a user and a program meet them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from birthmark.documents.subscriptions import SubscriptionDocument
from birthmark.questions.subscriptions import ChangeSubscription, Subscribe
from birthmark.subscriptions.model import Subscription, SubscriptionOptions
from birthmark.surfaces.arguments import body_of
from birthmark.surfaces.cli.commands import subscriptions as subscription_commands
from running import birthmark, document
from scanning import make
from worlds import World

CODE = "def load(path):\n    return open(path).read()\n\n\ndef save(path, text):\n    open(path, 'w').write(text)\n"
SUBSCRIPTION = {
    "id", "ref", "target", "path", "start_line", "end_line", "label", "description", "active", "trigger_on_duplicate",
    "include_members", "include_private", "include_inherited", "track_decorators", "cosmetic", "semantic", "anchors",
    "members", "mark", "revision", "snoozed_until", "acknowledged", "created_at", "updated_at", "stored",
    "repository",
}  # fmt: skip
SEMANTIC = {"language", "kind", "qualname", "interface_hash", "body_hash"}
SCAN = {"base", "target", "triggers", "proposals", "ambiguous", "unchanged"}
TRIGGER = {
    "subscription_id", "path", "start_line", "end_line", "reasons", "change_type", "matching_hunks", "details",
}  # fmt: skip
PROPOSAL = {
    "subscription_id", "old_path", "old_start", "old_end", "new_path", "new_start", "new_end", "reasons", "confidence",
    "new_qualname", "new_kind",
}  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make(tmp_path, {"a.py": CODE, "notes.txt": "one\ntwo\nthree\n"})


def subscribe(world: World, *arguments: str) -> dict[str, Any]:
    """A new subscription, as all other commands show it."""
    found: dict[str, Any] = document("subscribe", *arguments, cwd=world.root)
    assert found.pop("created") is True
    found.pop("same_target_ids")
    return found


def edit(world: World) -> None:
    world.write("a.py", "import os\n" + world.read("a.py").replace("open(path).read()", "open(path, 'rb').read()"))


# Shapes


def test_subscribe_document(world: World) -> None:
    found = subscribe(world, "a.py::load", "--label", "the loader", "--description", "why", "--trigger-on-duplicate")
    assert set(found) == SUBSCRIPTION
    assert set(found["semantic"]) >= SEMANTIC
    expected = {
        "ref": "a.py::load",
        "target": "entity",
        "path": "a.py",
        "start_line": 1,
        "end_line": 2,
        "label": "the loader",
        "description": "why",
        "active": True,
        "trigger_on_duplicate": True,
        "anchors": None,
        "stored": "index",
        "revision": world.git("rev-parse", "HEAD"),
    }
    assert {name: found[name] for name in expected} == expected
    assert found["semantic"]["qualname"] == "load"


def test_lines_document(world: World) -> None:
    found = subscribe(world, "notes.txt:2-3")
    assert (found["target"], found["semantic"]) == ("lines", None)
    assert (found["path"], found["start_line"], found["end_line"]) == ("notes.txt", 2, 3)
    assert found["anchors"]["before"] == ["one"]


def test_pattern_document(world: World) -> None:
    found = subscribe(world, "**::load*")
    assert [found[name] for name in ("target", "path", "start_line", "semantic")] == ["pattern", None, None, None]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--include-members"], {"include_members": True}),
        (["--include-private"], {"include_private": True}),
        (["--no-inherited"], {"include_inherited": False}),
        (["--no-track-decorators"], {"track_decorators": False}),
        (["--users"], {"target": "users"}),
        (["--cosmetic"], {"cosmetic": True}),
        (["--team"], {"stored": "team"}),
        (["--at", "HEAD"], {"start_line": 1}),
    ],
)
def test_options(world: World, options: list[str], expected: dict[str, Any]) -> None:
    found = subscribe(world, "a.py::load", *options)
    assert {name: found[name] for name in expected} == expected


def test_entity_at_a_line(world: World) -> None:
    assert subscribe(world, "a.py:6", "--entity")["semantic"]["qualname"] == "save"
    assert subscribe(world, "a.py:6")["semantic"] is None


def test_list(world: World) -> None:
    assert document("subscriptions", cwd=world.root) == []
    first, second = subscribe(world, "a.py::load"), subscribe(world, "a.py::save", "--team")
    listed = document("subscriptions", cwd=world.root)
    assert sorted(one["id"] for one in listed) == sorted([first["id"], second["id"]])
    lines = birthmark("subscriptions", "--jsonl", cwd=world.root).stdout.splitlines()
    assert [json.loads(line) for line in lines] == listed
    assert document("subscriptions", "show", first["id"], cwd=world.root) == first


def test_scan_document(world: World) -> None:
    subscription = subscribe(world, "a.py::load", "--label", "x")
    subscribe(world, "notes.txt:1")
    edit(world)
    found = document("scan", cwd=world.root)
    assert set(found) >= SCAN
    assert (found["base"], found["target"]) == (world.git("rev-parse", "HEAD"), "the worktree")
    [trigger], [proposal] = found["triggers"], found["proposals"]
    assert set(trigger) >= TRIGGER
    assert set(proposal) >= PROPOSAL
    assert trigger["subscription_id"] == proposal["subscription_id"] == subscription["id"]
    assert (trigger["reasons"], trigger["change_type"], trigger["label"]) == (["body_changed"], "CONTENT", "x")
    assert (trigger["path"], trigger["start_line"], trigger["end_line"]) == ("a.py", 1, 2)
    assert (proposal["old_start"], proposal["new_start"], proposal["reasons"]) == (1, 2, ["line_shift"])
    assert (proposal["new_qualname"], proposal["new_kind"], proposal["confidence"]) == (None, None, "high")
    assert (found["ambiguous"], found["unchanged"], found["inactive"]) == ([], 1, 0)
    assert found["muted"] == {"cosmetic": 0, "acknowledged": 0, "snoozed": 0}


def test_hunks_document(world: World) -> None:
    subscribe(world, "notes.txt:1-3")
    world.write("notes.txt", "one\nTWO\nthree\n")
    [trigger] = document("scan", cwd=world.root)["triggers"]
    assert trigger["matching_hunks"] == [{"old_start": 2, "old_count": 1, "new_start": 2, "new_count": 1}]


def test_scan_between_revisions(world: World) -> None:
    subscribe(world, "a.py::load")
    edit(world)
    world.commit()
    found = document("scan", "--base", "HEAD~1", "--target", "HEAD", cwd=world.root)
    assert [found["base"], found["target"]] == world.git("rev-parse", "HEAD~1", "HEAD").split()
    assert len(found["triggers"]) == 1


def test_apply_document(world: World) -> None:
    subscription = subscribe(world, "a.py::load")
    edit(world)
    document("scan", cwd=world.root)
    dry = document("apply", "--dry-run", cwd=world.root)
    assert dry["dry_run"] is True
    assert document("scan", cwd=world.root)["triggers"]
    found = document("apply", cwd=world.root)
    assert set(found) == {"applied", "skipped", "dry_run"}
    assert [(one["subscription_id"], one["start_line"]) for one in found["applied"]] == [(subscription["id"], 2)]
    assert found["skipped"] == []
    assert document("scan", cwd=world.root)["triggers"] == []
    again = document("apply", subscription["id"], cwd=world.root)
    assert again["skipped"] == [{"subscription_id": subscription["id"], "reason": "the scan found nothing new"}]


def test_doing_documents(world: World) -> None:
    id_ = subscribe(world, "a.py::load")["id"]
    edit(world)
    document("scan", cwd=world.root)

    def do(action: str, *options: str) -> dict[str, Any]:
        [found] = document("subscriptions", action, id_, *options, cwd=world.root)
        assert set(found) == SUBSCRIPTION
        return dict(found)

    assert do("acknowledge")["acknowledged"] is True
    assert document("scan", cwd=world.root)["muted"]["acknowledged"] == 1
    assert do("snooze", "--until", "2099-12-31")["snoozed_until"] == "2099-12-31T00:00:00Z"
    assert document("scan", cwd=world.root)["muted"]["snoozed"] == 1
    assert do("deactivate")["active"] is False
    assert document("scan", cwd=world.root)["inactive"] == 1
    assert do("reactivate")["active"] is True
    changed = do("change", "--label", "new", "--trigger-on-duplicate", "--no-track-decorators")
    assert (changed["label"], changed["trigger_on_duplicate"], changed["track_decorators"]) == ("new", True, False)
    assert do("delete")["id"] == id_
    assert document("subscriptions", cwd=world.root) == []


# For people


def test_for_people(world: World) -> None:
    result = birthmark("subscribe", "a.py::load", "--label", "the loader", cwd=world.root)
    id_ = result.stdout.split()[0]
    assert result.stdout == f"{id_}  fn load  a.py:1-2  the loader\n"
    assert birthmark("subscriptions", cwd=world.root).stdout == f"a.py\n  {id_}  1-2  fn load  the loader\n"
    edit(world)
    result = birthmark("scan", cwd=world.root)
    assert result.stdout.splitlines() == [
        "Needs a decision (1)",
        "",
        "a.py",
        "  load: body changed in the worktree, not committed",
        f"    the loader; lines 1-2, now 2-3; {id_}",
        "    @@ -1,2 +2,2 @@",
        "     def load(path):",
        "    -    return open(path).read()",
        "    +    return open(path, 'rb').read()",
        "",
        "1 triggered (the worktree compared with what was accepted)",
    ]
    assert result.stderr == "birthmark: `birthmark apply` accepts what was found\n"
    result = birthmark("apply", cwd=world.root)
    assert result.stdout == f"applied  {id_}  fn load  a.py:2-3  the loader\n"
    assert birthmark("scan", cwd=world.root).stdout == "1 unchanged (the worktree compared with what was accepted)\n"


def test_inactive_ones_are_counted(world: World) -> None:
    id_ = subscribe(world, "a.py::load")["id"]
    birthmark("subscriptions", "deactivate", id_, cwd=world.root)
    result = birthmark("subscriptions", cwd=world.root)
    assert (result.stdout, result.stderr) == ("", "birthmark: 1 inactive subscription not shown; --all shows all\n")
    listed = birthmark("subscriptions", "--all", cwd=world.root).stdout
    assert listed == f"a.py\n  {id_}  1-2  fn load  inactive\n"


def test_nothing_at_all(world: World) -> None:
    result = birthmark("scan", cwd=world.root)
    assert (result.returncode, "there are no subscriptions" in result.stdout) == (0, True)
    assert "there are no subscriptions" in birthmark("subscriptions", cwd=world.root).stderr


# Exit codes


def test_exit_code(world: World) -> None:
    subscribe(world, "a.py::load")
    assert birthmark("scan", "--exit-code", cwd=world.root).returncode == 0
    edit(world)
    assert birthmark("scan", cwd=world.root).returncode == 0
    assert birthmark("scan", "--exit-code", cwd=world.root).returncode == 1
    document("scan", "--exit-code", cwd=world.root, code=1)
    birthmark("apply", cwd=world.root)
    assert birthmark("scan", "--exit-code", cwd=world.root).returncode == 0


def test_exit_code_for_what_only_moved_or_is_cosmetic(world: World) -> None:
    subscribe(world, "a.py::load")
    world.write("a.py", "import os\n" + CODE.replace("    return", "    # All.\n    return"))
    assert birthmark("scan", "--exit-code", cwd=world.root).returncode == 0
    assert birthmark("scan", "--exit-code", "--cosmetic", cwd=world.root).returncode == 1


def test_exit_code_for_documents(world: World) -> None:
    world.write("a.md", "<!-- birthmark: a.py::load -->\n")
    world.commit()
    assert birthmark("scan", "--docs", "--exit-code", cwd=world.root).returncode == 0
    edit(world)
    result = birthmark("scan", "--docs", "--exit-code", cwd=world.root)
    assert (result.returncode, "1  a.py::load has changed, not committed yet" in result.stdout) == (1, True)
    assert birthmark("scan", "--exit-code", cwd=world.root).returncode == 0


def test_moved_links_are_shown_and_then_rewritten(world: World) -> None:
    world.write("a.md", "<!-- birthmark: a.py::load -->\nIt reads.\n\n<!-- birthmark: a.py::save -->\nIt writes.\n")
    world.commit()
    world.write("a.py", CODE.replace("def load", "def fetch").partition("\n\n\n")[0] + "\n")
    commit = world.commit()[:12]
    result = birthmark("scan", "--docs", cwd=world.root)
    assert result.stdout.splitlines()[:4] == [
        "Documents (2)",
        "a.md",
        f"  1  a.py::load has moved to a.py::fetch since {commit}",
        f"  4  a.py::save was deleted since {commit}",
    ]
    assert "birthmark scan --docs --fix" in result.stderr
    assert "a.py::load" in world.read("a.md")
    result = birthmark("scan", "--docs", "--fix", "--exit-code", cwd=world.root)
    assert f"has moved to a.py::fetch since {commit}\n" in result.stdout
    assert (result.returncode, result.stdout.endswith("1 link rewritten in 1 document\n")) == (1, True)
    assert "a.py::fetch -->" in world.read("a.md")
    assert "a.py::save -->" in world.read("a.md")


def test_rewritten_links_as_json(world: World) -> None:
    world.write("a.md", "<!-- birthmark: a.py::load -->\nIt reads.\n")
    world.commit()
    world.replace("a.py", "def load", "def fetch")
    world.commit()
    [link] = document("scan", "--docs", "--fix", "--exit-code", cwd=world.root)["docs"]
    assert (link["ref"], link["replacement"], link["fixed"]) == ("a.py::load", "a.py::fetch", True)
    assert world.read("a.md") == "<!-- birthmark: a.py::fetch -->\nIt reads.\n"


def test_a_quick_scan_looks_up_no_commits(world: World) -> None:
    subscribe(world, "a.py::load")
    edit(world)
    [trigger] = document("scan", "--quick", cwd=world.root)["triggers"]
    assert (trigger["commits"], trigger["patch"], trigger["summary"]) == (
        [],
        None,
        f"{trigger['subject']}: body changed",
    )
    [trigger] = document("scan", cwd=world.root)["triggers"]
    assert (trigger["qualified_name"], trigger["uncommitted"], trigger["patch"]["added"]) == ("load", True, 1)


BAD = [
    (["scan", "--fix"], "use it with --docs and without --target"),
    (["scan", "--docs", "--fix", "--target", "HEAD"], "use it with --docs and without --target"),
    (["subscribe", "a.py::none"], "a.py: has no none in the worktree; `birthmark entities a.py` lists what it has"),
    (["subscribe", "none.py::load"], "none.py: is not in the worktree"),
    (["subscribe", "load"], "load: name it as path::name or path:first-last, or run `birthmark index` first"),
    (["subscribe", "a.py:0"], "the file has lines 1 to 6; name some of them"),
    (["subscribe", "a.py:3", "--entity"], "nothing is defined there"),
    (["subscribe", "**::*", "--users"], "is a pattern; it has neither users nor members"),
    (["subscribe", "a.py::load", "--at", "nope"], "nope"),
    (["subscribe", ""], ""),
    (["subscriptions", "show", "sub-x"], "sub-x: there is no such subscription; `birthmark subscriptions` lists them"),
    (["subscriptions", "delete", "sub-x"], "there is no such subscription"),
    (["subscriptions", "change", "sub-x"], "name what is to change"),
    (["subscriptions", "snooze", "sub-x", "--until", "soon"], "there is no such subscription"),
    (["subscriptions", "acknowledge", "sub-x"], "there is no such subscription"),
    (["scan", "sub-x"], "there is no such subscription"),
    (["scan", "--base", "nope"], "nope"),
    (["scan", "--target", "nope"], "nope"),
    (["scan", "--updates", "no/such/folder.md"], "name a file that can be written"),
    (["scan", "--output", "no/such/folder.json"], "name a file that can be written"),
    (["apply"], "there is no scan yet; run `birthmark scan` first"),
    (["apply", "--scan", "7"], "there is no scan 7"),
    (["apply", "--from", "a.py"], "this is no update document"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_bad_input_is_one_clear_line(world: World, arguments: list[str], message: str) -> None:
    result = birthmark(*arguments, cwd=world.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.startswith("birthmark: ")
    assert result.stderr.count("\n") == 1


def test_a_bad_time(world: World) -> None:
    id_ = subscribe(world, "a.py::load")["id"]
    result = birthmark("subscriptions", "snooze", id_, "--until", "soon", cwd=world.root)
    assert (result.returncode, result.stderr) == (2, "birthmark: 'soon' is no time; write 3d, 12h, 2w or 2026-12-31\n")


def test_a_broken_team_file(world: World) -> None:
    """The entry is named, the others are scanned."""
    world.write("birthmark.toml", "[subscriptions.sub-x]\nlabel = 'no ref'\n")
    result = birthmark("scan", cwd=world.root)
    assert (result.returncode, result.stderr.count("\n")) == (0, 1)
    assert "birthmark.toml: subscriptions.sub-x: " in result.stderr


def test_an_update_document_for_an_unknown_subscription(world: World) -> None:
    id_ = subscribe(world, "a.py::load")["id"]
    edit(world)
    birthmark("scan", "--updates", "u.json", cwd=world.root)
    birthmark("subscriptions", "delete", id_, cwd=world.root)
    result = birthmark("apply", "--from", "u.json", cwd=world.root)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


# History


def test_history(world: World) -> None:
    assert document("scan", "--history", cwd=world.root) == []
    subscribe(world, "a.py::load")
    document("scan", cwd=world.root)
    edit(world)
    document("scan", cwd=world.root)
    document("scan", "--no-record", cwd=world.root)
    rows = document("scan", "--history", cwd=world.root)
    assert [(row["scan"], row["triggers"], row["target"]) for row in rows] == [
        (2, 1, "the worktree"),
        (1, 0, "the worktree"),
    ]
    assert set(rows[0]) == {"scan", "at", "base", "target", "triggers"}
    text = birthmark("scan", "--history", cwd=world.root).stdout.splitlines()
    assert (len(text), text[0].endswith("to the worktree: 1 triggered")) == (2, True)


def test_apply_an_older_scan(world: World) -> None:
    subscribe(world, "a.py::load")
    edit(world)
    world.commit()
    number = document("scan", "--target", "HEAD", cwd=world.root)["scan"]
    document("scan", cwd=world.root)
    assert len(document("apply", "--scan", str(number), cwd=world.root)["applied"]) == 1


# Update documents


@pytest.mark.parametrize("name", ["updates.md", "updates.json"])
def test_update_documents(world: World, name: str) -> None:
    first, second = subscribe(world, "a.py::load")["id"], subscribe(world, "a.py::save")["id"]
    edit(world)
    birthmark("scan", "--no-record", "--updates", name, cwd=world.root)
    dry = document("apply", "--from", name, "--dry-run", cwd=world.root)
    assert {one["subscription_id"] for one in dry["applied"]} == {first, second}
    found = document("apply", "--from", name, first, cwd=world.root)
    assert [one["subscription_id"] for one in found["applied"]] == [first]
    found = document("apply", "--from", name, cwd=world.root)
    assert [one["subscription_id"] for one in found["applied"]] == [second]
    assert [one["subscription_id"] for one in found["skipped"]] == [first]
    assert document("scan", cwd=world.root)["proposals"] == []


def test_only_what_stays_ticked(world: World) -> None:
    first, second = subscribe(world, "a.py::load")["id"], subscribe(world, "a.py::save")["id"]
    edit(world)
    birthmark("scan", "--updates", "u.md", cwd=world.root)
    world.replace("u.md", f"[x] {first}", f"[ ] {first}")
    found = document("apply", "--from", "u.md", cwd=world.root)
    assert [one["subscription_id"] for one in found["applied"]] == [second]
    world.replace("u.md", f"[x] {second}", f"[ ] {second}")
    result = birthmark("apply", "--from", "u.md", cwd=world.root)
    assert (result.returncode, "nothing in it is ticked" in result.stderr) == (2, True)


def test_an_update_document_is_refused_after_another_edit(world: World) -> None:
    subscribe(world, "a.py::load")
    edit(world)
    birthmark("scan", "--updates", "u.json", cwd=world.root)
    world.replace("a.py", "'rb'", "'r'")
    found = document("apply", "--from", "u.json", cwd=world.root)
    assert [one["reason"] for one in found["skipped"]] == ["its file was changed since the scan; scan again"]


# Formats


@pytest.mark.parametrize("form", ["terminal", "json", "markdown", "sarif", "github", "github-comment", "gitlab"])
def test_formats(world: World, form: str) -> None:
    id_ = subscribe(world, "a.py::load", "--label", "the loader")["id"]
    edit(world)
    result = birthmark("scan", "--format", form, cwd=world.root)
    assert result.returncode == 0
    assert "load" in result.stdout
    if form in ("json", "sarif", "gitlab"):
        json.loads(result.stdout)
    written = birthmark("scan", "--format", form, "--output", "out", cwd=world.root)
    assert (written.returncode, written.stdout) == (0, "")
    assert id_ in world.read("out") or "load" in world.read("out")


def test_an_unknown_format(world: World) -> None:
    result = birthmark("scan", "--format", "pdf", cwd=world.root)
    assert (result.returncode, "is not one of" in result.stderr) == (2, True)


def test_output_is_json_unless_told_otherwise(world: World) -> None:
    subscribe(world, "a.py::load")
    edit(world)
    birthmark("scan", "--output", "out.json", cwd=world.root)
    assert len(json.loads(world.read("out.json"))["triggers"]) == 1


def test_from_a_subfolder(world: World) -> None:
    """As git does, from any folder of the repository."""
    world.write("sub/b.py", "def g(x):\n    return x\n")
    subscribe(world, "a.py::load")
    edit(world)
    assert len(document("scan", cwd=world.root / "sub")["triggers"]) == 1


def test_options_are_those_of_the_type() -> None:
    """Spelled once: the command line, HTTP and JSON take them from there."""
    options = set(SubscriptionOptions.__struct_fields__)
    assert {param.name for param in subscription_commands.subscribe.params} >= options | {
        "users",
        "entity",
        "at",
        "team",
    }
    for_all = {"color", "no_pager", "store", "repository", "trust", "index_dir", "fetch"}
    assert {param.name for param in subscription_commands.subscriptions.commands["change"].params} - for_all == {
        *options,
        "id",
        "form",
    }
    changes, new = body_of(ChangeSubscription), body_of(Subscribe)
    assert changes is not None
    assert set(changes.__struct_fields__) == options
    for kind in (Subscription, SubscriptionDocument, new):
        assert kind is not None
        assert options <= set(kind.__struct_fields__)


@pytest.mark.parametrize("option", ["--no-inherited", "--no-include-inherited"])
def test_both_ways_to_leave_out_inherited_members(world: World, option: str) -> None:
    assert subscribe(world, "a.py::load", option)["include_inherited"] is False


# Twice the same


SAME = [
    ("a.py::load", "a.py::load"),
    ("a.py::load", "a.py:1"),
    ("notes.txt:2-3", "notes.txt:2-3"),
    ("**::load*", "**::load*"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_subscribing_twice_says_so(world: World, first: str, second: str) -> None:
    options = ["--entity"] if second == "a.py:1" else []
    id_ = subscribe(world, first, *options)["id"]
    result = birthmark("subscribe", second, *options, cwd=world.root)
    assert (result.returncode, result.stdout.split()[0]) == (0, id_)
    assert f"{id_} watches this already, since 20" in result.stderr
    again = document("subscribe", second, *options, cwd=world.root)
    assert (again["id"], again["created"], again["same_target_ids"]) == (id_, False, [])
    assert len(document("subscriptions", cwd=world.root)) == 1


def test_subscribing_again_keeps_what_was_accepted(world: World) -> None:
    first = subscribe(world, "a.py::load")
    edit(world)
    again = document("subscribe", "a.py::load", cwd=world.root)
    assert (again["id"], again["semantic"], again["created"]) == (first["id"], first["semantic"], False)
    assert len(document("scan", cwd=world.root)["triggers"]) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["a.py::load"], ["a.py::load", "--label", "x"]),
        (["a.py::load"], ["a.py::load", "--team"]),
        (["a.py::load"], ["a.py::load", "--cosmetic"]),
    ],
)
def test_other_options_make_another_subscription(world: World, first: list[str], second: list[str]) -> None:
    id_ = subscribe(world, *first)["id"]
    result = birthmark("subscribe", *second, cwd=world.root)
    assert result.stderr == f"birthmark: {id_} watches the same with other options\n"
    assert len(document("subscriptions", cwd=world.root)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["a.py::load"], ["a.py::save"]),
        (["a.py::load"], ["a.py::load", "--users"]),
        (["a.py:1-2"], ["a.py:1"]),
        (["a.py:1-2"], ["a.py::load"]),
        (["**::load*"], ["**::l*"]),
    ],
)
def test_other_targets_are_not_the_same(world: World, first: list[str], second: list[str]) -> None:
    subscribe(world, *first)
    assert birthmark("subscribe", *second, cwd=world.root).stderr == ""
    assert len(document("subscriptions", cwd=world.root)) == 2


# Ids


def test_ids_may_be_shortened(world: World) -> None:
    id_ = subscribe(world, "a.py::load")["id"]
    for short in (id_, id_[:8], id_.removeprefix("sub-")[:4]):
        assert document("subscriptions", "show", short, cwd=world.root)["id"] == id_
    edit(world)
    assert len(document("scan", id_[:9], cwd=world.root)["triggers"]) == 1
    assert [one["subscription_id"] for one in document("apply", id_[:9], cwd=world.root)["applied"]] == [id_]
    assert birthmark("subscriptions", "show", id_[:5], cwd=world.root).returncode == 2


def test_a_beginning_of_several_ids_lists_them(world: World) -> None:
    ref = 'ref = "a.py::load"\n'
    world.write("birthmark.toml", f"[subscriptions.sub-aaaa1]\n{ref}[subscriptions.sub-aaaa2]\n{ref}")
    result = birthmark("subscriptions", "show", "aaaa", cwd=world.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0] == "birthmark: aaaa: 2 subscriptions begin so; name one of them"
    assert [line.split() for line in result.stderr.splitlines()[1:]] == [
        ["sub-aaaa1", "a.py::load"],
        ["sub-aaaa2", "a.py::load"],
    ]


def test_a_slip_in_an_id_gets_a_suggestion(world: World) -> None:
    id_ = subscribe(world, "a.py::load")["id"]
    slip = id_[:-1] + ("0" if id_[-1] != "0" else "1")
    result = birthmark("subscriptions", "delete", slip, cwd=world.root)
    assert result.stderr == f"birthmark: {slip}: there is no such subscription; did you mean {id_}?\n"


def test_one_subscription_for_people(world: World) -> None:
    id_ = subscribe(world, "a.py::load", "--label", "the loader", "--include-members", "--team")["id"]
    birthmark("subscriptions", "snooze", id_, "--until", "2099-12-31", cwd=world.root)
    lines = birthmark("subscriptions", "show", id_, cwd=world.root).stdout.splitlines()
    assert lines[0] == f"{id_}  fn load"
    facts = [line.split(maxsplit=1) for line in lines[1:]]
    for fact in (
        ["where", "a.py:1-2"],
        ["label", "the loader"],
        ["reports", "changes of the definition"],
        ["options", "with members"],
        ["state", "snoozed until 2099-12-31"],
        ["stored", "for the team, in birthmark.toml"],
    ):
        assert fact in facts
