"""Seed 001: the store's schema and re-indexing, tests 15 to 23 by their names there; and its six simulations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from birthmark.store.model import SnapshotEntity
from birthmark.store.sqlite.store import SqliteStore
from birthmark.vocabulary import RefStatus
from worlds import START, TICK, World, told

PATH = "src/auth.rs"
HANDLE = "fn handle_auth() {\n    validate_token();\n}\n"
VALIDATE = "fn validate_token(token: &str) -> bool {\n    check_signature(token) && !check_expiry(token)\n}\n"
EXPIRY = "fn check_expiry(timestamp: i64) -> bool {\n    timestamp > current_time()\n}\n"
PROCESS = "fn process(data: &str) -> String {\n    data.to_uppercase()\n}\n"


def rust(*parts: str) -> str:
    return "\n".join(parts)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Three functions, indexed."""
    world = World(tmp_path, {PATH: rust(HANDLE, VALIDATE, EXPIRY)})
    world.index()
    return world


def keys(world: World) -> dict[str, str]:
    return {held.entity.name: held.key for held in world.entities()}


def lines(world: World) -> dict[str, int]:
    return {held.entity.name: held.entity.start_line for held in world.entities()}


LookUp = Callable[[SqliteStore, int, list[str]], list[SnapshotEntity]]


def rows(world: World, look_up: LookUp, value: str) -> list[SnapshotEntity]:
    with world.session() as session:
        assert isinstance(session.store, SqliteStore)
        return look_up(session.store, session.view.number, [value])


def at_semantic_paths(store: SqliteStore, snapshot: int, paths: list[str]) -> list[SnapshotEntity]:
    return store.entities_of(snapshot, [key.identity for key in store.keys_at(paths)])


def reindex(world: World, *parts: str) -> dict[str, int]:
    """Write the file anew; what `diff` foretells is what the run then finds."""
    world.write(PATH, rust(*parts))
    foretold = world.diff().counts
    changes = world.index().changes
    assert world.check() == []
    assert {word: foretold[word] for word in ("deleted", "modified", "moved", "renamed")} == {
        word: changes.get(word, 0) for word in ("deleted", "modified", "moved", "renamed")
    }
    assert foretold["added"] == changes.get("born", 0) + changes.get("revived", 0)
    return told(changes)


def test_schema_has_v2_fields(world: World) -> None:
    assert {"birth", "content_hash", "semantic_path"} <= set(SnapshotEntity._fields)
    with world.session() as session:
        assert isinstance(session.store, SqliteStore)
        indexed = session.store.connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'keys_by_path'"
        ).fetchall()
    assert "semantic_path" in str(indexed)


def test_query_by_semantic_path(tmp_path: Path) -> None:
    world = World(tmp_path, {PATH: rust(PROCESS, HANDLE, PROCESS, PROCESS)})
    world.index()
    found = rows(world, at_semantic_paths, "rust:fn:process:__src_auth_rs")
    assert [row.birth for row in found] == [START, START + 1, START + 2]


def test_update_preserves_birth_timestamp(world: World) -> None:
    (before,) = rows(world, SqliteStore.entities_named, "validate_token")
    reindex(world, HANDLE, "\n", VALIDATE.replace("&&", "||"), EXPIRY)
    (after,) = rows(world, SqliteStore.entities_named, "validate_token")
    assert after.birth == before.birth == START
    assert after.content_hash != before.content_hash
    assert after.start_line == before.start_line + 2


def test_serialization_roundtrip(world: World) -> None:
    held = world.entity("validate_token")
    (row,) = rows(world, SqliteStore.entities_marked, held.mark)
    assert row == SnapshotEntity(
        PATH,
        held.identity,
        held.mark,
        "rust:fn:validate_token:__src_auth_rs",
        START,
        "rust",
        "fn",
        "validate_token",
        "validate_token",
        held.fingerprint.content,
        5,
        7,
        held.version,
        1,
    )
    assert row.key == held.key == f"rust:fn:validate_token:__src_auth_rs:T{START}"


def test_unchanged_entity_preserves_key(tmp_path: Path) -> None:
    world = World(tmp_path, {PATH: HANDLE})
    world.index()
    before = keys(world)
    assert reindex(world, "\n" * 9, HANDLE) == {"moved": 1}
    assert keys(world) == before
    assert lines(world) == {"handle_auth": 11}


def test_modified_entity_updates_hash_keeps_key(tmp_path: Path) -> None:
    world = World(tmp_path, {PATH: HANDLE})
    world.index()
    before = world.entity("handle_auth")
    assert reindex(world, HANDLE.replace("}", "    log();\n}")) == {"modified": 1}
    after = world.entity("handle_auth")
    assert (after.key, after.mark) == (before.key, before.mark)
    assert after.fingerprint.content != before.fingerprint.content


def test_line_shift_preserves_key_the_key_test(world: World) -> None:
    before, lines_before = keys(world), lines(world)
    assert reindex(world, "// a comment\n" * 99, HANDLE, VALIDATE, EXPIRY) == {"moved": 3}
    assert keys(world) == before
    assert lines(world) == {name: line + 100 for name, line in lines_before.items()}


def test_new_entity_gets_timestamp(tmp_path: Path) -> None:
    world = World(tmp_path, {PATH: rust(HANDLE, VALIDATE)})
    world.index()
    assert reindex(world, HANDLE, VALIDATE, EXPIRY) == {"born": 1, "unchanged": 2}
    births = {row.name: row.birth for row in rows(world, SqliteStore.entities_in, PATH)}
    assert births == {"handle_auth": START, "validate_token": START, "check_expiry": START + TICK}


def test_deleted_entity_removed(world: World) -> None:
    """Design: the edge of a caller stays and is unresolved, so that a callee that returns takes it back."""
    gone = world.mark("check_expiry")
    assert world.callers("check_expiry") == ["validate_token"]
    assert reindex(world, HANDLE, VALIDATE) == {"deleted": 1, "unchanged": 2}
    assert sorted(keys(world)) == ["handle_auth", "validate_token"]
    assert world.resolve(gone).status == RefStatus.GONE
    reindex(world, HANDLE, VALIDATE, EXPIRY)
    assert world.callers(gone) == ["validate_token"]


def test_simulation_1_the_cascading_key_change(world: World) -> None:
    """Four comment lines and a blank one at the top: nothing is added or deleted, and no caller loses its edge."""
    before = keys(world)
    assert reindex(world, "// one\n// two\n// three\n// four\n", HANDLE, VALIDATE, EXPIRY) == {"moved": 3}
    assert keys(world) == before
    assert world.callers("validate_token") == ["handle_auth"]


def test_simulation_2_hash_match(world: World) -> None:
    before = world.entity("validate_token")
    reindex(world, HANDLE, "\n" * 9, VALIDATE, EXPIRY)
    after = world.entity("validate_token")
    assert (after.key, after.fingerprint) == (before.key, before.fingerprint)
    assert after.entity.start_line == before.entity.start_line + 10


def test_simulation_3_position_match(world: World) -> None:
    """A body that is edited and ten lines further down."""
    before = world.entity("validate_token")
    edited = VALIDATE.replace("(token)\n", "(token) && is_not_revoked(token)\n")
    assert reindex(world, HANDLE, "\n" * 9, edited, EXPIRY) == {"modified": 1, "moved": 1, "unchanged": 1}
    assert world.key("validate_token") == before.key
    assert world.events(before.key) == ["born", "modified"]


def test_simulation_4_identical_duplicates(tmp_path: Path) -> None:
    world = World(tmp_path, {PATH: rust(PROCESS, EXPIRY, PROCESS)})
    world.index()
    before = [held.key for held in world.entities()]
    assert before[0] != before[2]
    reindex(world, "\n" * 4, PROCESS, EXPIRY, PROCESS)
    assert [held.key for held in world.entities()] == before


def test_simulation_5_new_entity(world: World) -> None:
    before = keys(world)
    new = "fn refresh_token(old: &str) -> String {\n    generate_new_token(old)\n}\n"
    assert reindex(world, HANDLE, VALIDATE, EXPIRY, new) == {"born": 1, "unchanged": 3}
    assert keys(world) == before | {"refresh_token": f"rust:fn:refresh_token:__src_auth_rs:T{START + TICK}"}


def test_simulation_6_deleted_entity(world: World) -> None:
    key = world.key("check_expiry")
    reindex(world, HANDLE, VALIDATE)
    answer = world.resolve(key)
    assert (answer.status, answer.indexed) == (RefStatus.GONE, None)
    assert [(h.event.change, h.event.path, h.run.at) for h in answer.events] == [
        ("born", PATH, START),
        ("deleted", PATH, START + TICK),
    ]
    assert world.resolve("handle_auth").status == RefStatus.PRESENT
