"""The texts of manifests are part of every snapshot and state, whatever is in the worktree when a question is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from birthmark.extraction.state import RepositoryState
from birthmark.queries.stored_network import maker_of
from birthmark.subscriptions.state_symbols import TreeSymbols
from small_repositories import make_repository, replay
from worlds import World, run_git

MANIFEST = '{"name": "shop", "main": "a.js"}'
OTHER = '{"name": "shop", "main": "b.js"}'
FILES = {
    "libs/package.json": MANIFEST,
    "libs/a.js": "export function open() {}\n",
    "libs/b.js": "export function open() {}\n",
    "main.js": "import { open } from 'shop'\nopen()\n",
    "LICENSE": "as you like",
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, FILES, with_git=True)
    world.commit()
    world.index()
    return world


def called(root: Path) -> list[str]:
    """Where the calls of the main file lead, by the index."""
    with open_session(root) as session:
        found = [*session.graph.references_in("main.js")]
        resolved = [session.resolver.resolve("main.js", *one) for one in found if one[2].edge == "calls"]
        return [target.path for one in resolved for target in one.targets]


def called_in(state: RepositoryState) -> list[str]:
    """The same by a state."""
    file = state.file("main.js")
    assert file is not None
    calls = [reference for reference in file.outline.references if reference.edge == "calls"]
    found = TreeSymbols(state).targets(file, calls, frozenset({"main.js"}))
    return [target.file.path for _, targets in found for target in targets]


def test_the_index_answers_by_the_manifests_that_it_read(world: World) -> None:
    assert called(world.root) == ["libs/a.js"]
    world.write("libs/package.json", OTHER)
    assert called(world.root) == ["libs/a.js"]
    world.index()
    assert called(world.root) == ["libs/b.js"]
    (world.root / "libs/package.json").unlink()
    world.index()
    assert called(world.root) == []


def test_states_answer_by_their_own_manifests(world: World) -> None:
    world.write("libs/package.json", OTHER)
    with open_repository(world.root) as repository:
        commit, worktree, index = repository.revision("HEAD"), repository.worktree(), repository.index()
        overlay = repository.overlay("HEAD", {"libs/b.js": ""})
        assert [called_in(state) for state in (commit, worktree, index)] == [
            ["libs/a.js"],
            ["libs/b.js"],
            ["libs/a.js"],
        ]
        assert overlay.manifests() == {"libs/package.json": MANIFEST}
        assert worktree.content("libs/package.json") == OTHER.encode()
        for state in (commit, worktree, index, overlay):
            assert "libs/package.json" not in state.paths()


def test_manifests_are_no_indexed_files_and_not_left_out(world: World) -> None:
    with open_session(world.root) as session:
        assert "libs/package.json" not in session.view.paths()
        assert session.store.file_counts(session.view.number) == (3, 1, 0)
        assert session.store.counts(session.view.number)["files"] == 3


def test_a_manifest_that_git_ignores_or_attributes_exclude_is_not_read(tmp_path: Path) -> None:
    files = {**FILES, "x/package.json": "{}", ".gitattributes": "x/* linguist-vendored", ".gitignore": "out/"}
    world = World(tmp_path, {**files, "out/package.json": "{}"}, with_git=True)
    world.commit()
    world.index()
    with open_repository(world.root) as repository:
        for state in (repository.revision("HEAD"), repository.worktree(), repository.index()):
            assert [*state.manifests()] == ["libs/package.json"]


def test_a_replayed_bare_repository_has_its_manifests(tmp_path: Path) -> None:
    make_repository(tmp_path / "w", [FILES, {**FILES, "libs/package.json": OTHER}])
    run_git(tmp_path, "clone", "-q", "--bare", "w", "bare.git")
    replay(tmp_path / "bare.git")
    assert called(tmp_path / "bare.git") == ["libs/b.js"]


def edges(root: Path) -> list[tuple[str, str, str, int]]:
    """All edges of the network that is kept, with paths instead of identities."""
    with open_session(root) as session:
        found = [*session.network.all_edges()]
        paths = {one.identity: one.path for one in session.store.all_entities(session.view.number)}
        named = ((paths.get(one.used, one.used), one) for one in found if one.path == "main.js")  # type: ignore[arg-type]
        return sorted((one.edge, one.resolution, str(used), one.line) for used, one in named)


def test_kept_edges_are_those_of_a_fresh_resolution_when_a_place_of_a_manifest_is_filled(tmp_path: Path) -> None:
    """A file that no import names takes the place of another."""
    manifest = '{"name": "shop", "main": "dist/start.js"}'
    function = "export function open() {}\n"
    files = {"libs/package.json": manifest, "libs/dist/start.js": function, "main.js": FILES["main.js"]}
    world = World(tmp_path / "one", files)
    world.index()
    assert {used for _, _, used, _ in edges(world.root)} == {"libs/dist/start.js"}
    world.write("libs/src/start.js", function)
    world.index()
    assert {used for _, _, used, _ in edges(world.root)} == {"libs/src/start.js"}
    world.write("libs/package.json", manifest.replace("dist/start", "other"))
    world.index()
    assert {used for _, _, used, _ in edges(world.root)} == set()
    world.write("libs/package.json", manifest.replace("}", ', "version": "2"}'))
    world.index()
    assert {used for _, _, used, _ in edges(world.root)} == {"libs/src/start.js"}


def test_an_edit_that_changes_no_module_changes_no_maker(world: World) -> None:
    def maker() -> str:
        with open_session(world.root) as session:
            return maker_of(session.view.snapshot, session.graph)

    before = maker()
    world.write("libs/package.json", '{"version": "9.9", "main": "a.js", "name": "shop"}')
    world.index()
    assert maker() == before
    world.write("libs/package.json", OTHER)
    world.index()
    assert maker() != before
