"""The catalog of a fleet, and what a repository is called in a store that many share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from postgres_server import fresh_database, shared_database

from birthmark.app.workspace.workspace import REPOSITORY, STORE, find_location, found_name
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.server.fleet.catalog import (
    CatalogReader,
    FleetRepository,
    change,
    delete_repository,
    find_repository,
    fleet_url,
    folder_of,
    list_repositories,
    mark_changed,
    mirror_of,
    put,
    remove,
    write_name,
)
from running import birthmark
from small_repositories import make_repository
from worlds import World, run_git

ONE = FleetRepository(name="host/a/one", source="https://host/a/one")
TWO = FleetRepository(name="host/a/two", source="/mirrors/two.git", failures=2, next_try=9, problem="away")


@pytest.fixture
def url() -> str:
    return fresh_database()


def bare_repository(folder: Path, name: str) -> Path:
    make_repository(folder / f"{name}-work", [{"a.py": "def f():\n    return 1\n"}])
    run_git(folder, "clone", "-q", "--bare", f"{name}-work", name)
    run_git(folder / name, "remote", "set-url", "origin", f"https://host/from-origin/{name}")
    return folder / name


def test_repositories_are_put_changed_and_removed(url: str) -> None:
    assert list_repositories(url) == []
    put(url, [TWO, ONE])
    assert list_repositories(url) == [ONE, TWO]
    change(url, "host/a/one", lambda known: FleetRepository(name=known.name, source=known.source, indexed="c0"))
    assert find_repository(url, "host/a/one").indexed == "c0"
    remove(url, ["host/a/one", "never"])
    assert list_repositories(url) == [TWO]
    change(url, "host/a/one", lambda known: known)
    assert list_repositories(url) == [TWO]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["put", "remove", "read"])), max_size=12))
def test_a_reader_has_what_is_in_the_catalog_and_keeps_what_did_not_change(steps: list[tuple[str, str]]) -> None:
    url = shared_database()
    remove(url, "abc")
    catalog, read = CatalogReader(url), dict[str, FleetRepository]()
    for number, (name, step) in enumerate([*steps, ("", "read")]):
        if step == "put":
            put(url, [FleetRepository(name=name, source="/x", failures=number)])
            read.pop(name, None)
        elif step == "remove":
            remove(url, [name])
            read.pop(name, None)
        else:
            found = {one.name: one for one in catalog.read()}
            assert list(found.values()) == list_repositories(url)
            assert all(found[known] is one for known, one in read.items())
            read = found


def test_what_is_said_to_have_changed_is_tried_at_once(url: str) -> None:
    put(url, [ONE, TWO])
    mark_changed(url, "host/a/two")
    found = find_repository(url, "host/a/two")
    assert found.changed_at > 0
    assert (found.next_try, found.failures, found.problem) == (0, 2, "away")
    assert find_repository(url, "host/a/one") == ONE


def test_a_name_that_is_not_there_is_answered_with_those_near_to_it(url: str) -> None:
    put(url, [ONE])
    with pytest.raises(NotFoundError, match=r"no repository of the fleet; did you mean host/a/one\?"):
        find_repository(url, "host/a/ome")


def test_a_fleet_needs_a_shared_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STORE, raising=False)
    with pytest.raises(BirthmarkError, match="a fleet is kept in PostgreSQL; name it: --store"):
        fleet_url()
    monkeypatch.setenv(STORE, "postgresql://host/db")
    assert fleet_url() == "postgresql://host/db"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400), unique=True, max_size=4))
def test_every_name_has_a_folder_of_its_own_within_the_mirrors(names: list[str]) -> None:
    folders = {mirror_of(name, Path("/mirrors")) for name in names}
    assert len(folders) == len(names)
    assert all(folder.parent == Path("/mirrors") and len(folder.name.encode()) < 200 for folder in folders)


def test_a_bare_repository_is_where_it_is() -> None:
    assert folder_of(TWO, Path("/m")) == Path("/mirrors/two.git")
    assert folder_of(ONE, Path("/m")) == Path("/m/host%2Fa%2Fone.git")


def test_a_mirror_knows_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, shared_database())
    monkeypatch.delenv(REPOSITORY, raising=False)
    bare = bare_repository(tmp_path, "x.git")
    assert find_location(bare / ".birthmark").repository == "host/from-origin/x"
    write_name(bare, str(tmp_path))
    assert find_location(bare / ".birthmark").repository == str(tmp_path)
    assert birthmark("index", cwd=bare).returncode == 0
    shown = birthmark("-C", str(bare), "show", "f", cwd=tmp_path)
    assert "a.py" in shown.stdout, shown.stderr
    monkeypatch.setenv(REPOSITORY, "other")
    assert find_location(bare / ".birthmark").repository == "other"


def test_a_worktree_cannot_name_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, shared_database())
    monkeypatch.delenv(REPOSITORY, raising=False)
    world = World(tmp_path / "w", {".birthmark/repository": "host/of/another\n"}, with_git=True)
    assert find_location(world.root / ".birthmark").repository.endswith(str(world.root))


def test_all_that_is_stored_of_a_repository_can_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv(STORE, url)
    bare = bare_repository(tmp_path, "x.git")
    assert birthmark("index", cwd=bare).returncode == 0
    assert delete_repository(url, "host/from-origin/x")
    assert not delete_repository(url, "host/from-origin/x")
    assert "there is no index" in birthmark("show", "f", cwd=bare).stderr


def test_a_repository_without_an_origin_has_one_name_whatever_link_leads_to_it(tmp_path: Path) -> None:
    folder = bare_repository(tmp_path, "one.git")
    run_git(folder, "remote", "remove", "origin")
    (tmp_path / "link").symlink_to(folder)
    assert found_name(tmp_path / "link") == found_name(folder)
