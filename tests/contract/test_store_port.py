"""What every store must do, whatever is behind its port; `tests/stores.py` names the implementations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from both_stores import STORE_PARAMETERS
from stores import FACTORIES, Stores

from birthmark.errors import BirthmarkError, StoreError
from birthmark.graph.manifests.package import Package
from birthmark.model import Level
from birthmark.store.model import (
    KEPT_SCANS,
    REPLAY,
    CommitNode,
    DocumentTable,
    Event,
    FileSummary,
    Identity,
    LedgerDerivation,
    LedgerEntries,
    LedgerKey,
    Message,
    NetworkChange,
    PackedExtraction,
    PathState,
    Posting,
    Run,
    SnapshotEntity,
    SnapshotFile,
    Version,
    VersionContent,
)
from birthmark.store.port import Store, SubscriptionStore
from birthmark.vocabulary import Change, DeliveryState, Ecosystem

CONTENT = bytes(range(20))
KEY = (CONTENT, "python")
EXTRACTION = PackedExtraction(Level.OUTLINE, b"outline", b"source", None, 1, 4, 2, 1, b"notes")
HASH = "c" * 16
REFERRED = [
    ("alias", 0, 0, b"a"),
    ("g", 2, 1, b"g"),
    ("h", 1, 0, b"h"),
]


class Filled(NamedTuple):
    """The numbers that a run was given."""

    run: Run
    snapshot: int
    extraction: int
    version: Version
    key: LedgerKey

    @property
    def identity(self) -> int:
        return self.key.identity


def semantic_path(path: str) -> str:
    return f"python:fn:f:__{path.replace('.', '_')}"


def snapshot_file(path: str, version: int | None) -> SnapshotFile:
    return SnapshotFile(path, None, 10, 11, 12, 13, None, CONTENT, "python", version, None)


def issue_key(store: Store, path: str, birth: int = 100) -> LedgerKey:
    """The first key of a new identity."""
    return LedgerKey(store.allot_keys(1)[0], semantic_path(path), birth, store.allot_identities(1)[0])


def append(store: Store, run: int, key: LedgerKey, mark: str, path: str, extraction: int) -> Version:
    born = Identity(key.identity, mark, key.text, run, path, 1, 2)
    new = Version(0, path, extraction, run, (key.identity,))
    return store.append_ledger(LedgerEntries(run, [key], [born], versions=[new]))[0]


def content_of(version: int, key: LedgerKey) -> VersionContent:
    return (version, [(key.identity, key.key, "fn", "f", "A.f", HASH, 1, 2, HASH)], REFERRED)


def fill(store: Store, path: str = "1.py", branch: str = "main") -> Filled:
    """One run that finds a file with one entity, which calls another."""
    with store.writing():
        store.put_extractions("x1", [(KEY, EXTRACTION)])
        extraction = store.extractions([KEY], "x1", Level.OUTLINE)[KEY]
        run = store.begin_run(".", branch, "r1", 101)
        key = issue_key(store, path)
        version = append(store, run.run, key, f"bm-{path}", path, extraction)
        snapshot = store.snapshot_for(run, "x1", None)
        store.show_versions([content_of(version.version, key)])
        store.change_files(snapshot, [snapshot_file(path, version.version)], [])
    return Filled(run, snapshot, extraction, version, key)


@pytest.fixture(params=STORE_PARAMETERS)
def make_stores(request: pytest.FixtureRequest) -> Callable[[Path], Stores]:
    """What makes the stores of a repository."""
    return FACTORIES[request.param]


@pytest.fixture
def stores(make_stores: Callable[[Path], Stores], tmp_path: Path) -> Stores:
    return make_stores(tmp_path / "stores")


@pytest.fixture
def store(stores: Stores) -> Iterator[Store]:
    with closing(stores.index()) as store:
        yield store


def test_what_is_read_together_is_of_one_moment(stores: Stores, store: Store) -> None:
    fill(store)
    with closing(stores.index(writable=False)) as reader:
        with reader.reading():
            before = reader.snapshots()
            fill(store, "2.py", "other")
            assert reader.snapshots() == before
        assert len(reader.snapshots()) == 2


def test_what_changed_since_a_moment(store: Store) -> None:
    before = store.ledger_end()
    f = fill(store)
    changed = store.changed_since(before)
    assert [one[:3] for one in changed if one[3] == Change.BORN] == [(f.identity, "bm-1.py", f.run.run)]
    assert store.changed_since(store.ledger_end()) == []


# Reading what was written

Asked = Callable[[Store, Filled], object]


def entity(f: Filled) -> SnapshotEntity:
    names = ("python", "fn", "f", "A.f", HASH)
    return SnapshotEntity("1.py", f.identity, "bm-1.py", semantic_path("1.py"), 100, *names, 1, 2, f.version.version, 0)


def referring(f: Filled, packed: bytes) -> tuple[str, str, int, bytes]:
    return ("1.py", "python", f.version.version, packed)


def born(f: Filled) -> Identity:
    return Identity(f.identity, "bm-1.py", f"{semantic_path('1.py')}:T100", f.run.run, "1.py", 1, 2)


def text_file(f: Filled) -> tuple[str, int, int]:
    return ("1.py", f.version.version, f.extraction)


ASKED: list[tuple[Asked, Asked]] = [
    (lambda s, f: s.extractions([KEY], "x1", Level.OUTLINE), lambda s, f: {KEY: f.extraction}),
    (lambda s, f: s.incomplete_extractions("x1", Level.NODES), lambda s, f: {f.extraction: KEY}),
    (lambda s, f: s.incomplete_extractions("x1", Level.OUTLINE), lambda s, f: {}),
    (lambda s, f: s.extractions([KEY], "x2", Level.ENTITIES), lambda s, f: {}),
    (lambda s, f: s.extractions([KEY], "x1", Level.NODES), lambda s, f: {}),
    (lambda s, f: list(s.outlines([f.extraction, 99])), lambda s, f: [(f.extraction, b"outline")]),
    (lambda s, f: (s.source(f.extraction), s.source(99), s.nodes(f.extraction)), lambda s, f: (b"source", None, None)),
    (
        lambda s, f: [(one.worktree, one.branch, one.revision, one.at, one.extractor) for one in s.snapshots()],
        lambda s, f: [(".", "main", "r1", 101, "x1")],
    ),
    (lambda s, f: s.snapshot("."), lambda s, f: s.snapshots()[0]),
    (lambda s, f: s.snapshot("elsewhere"), lambda s, f: None),
    (lambda s, f: s.files(f.snapshot), lambda s, f: {"1.py": snapshot_file("1.py", f.version.version)}),
    (lambda s, f: s.files(f.snapshot, ["1.py"]), lambda s, f: s.files(f.snapshot)),
    (lambda s, f: list(s.each_file(f.snapshot)), lambda s, f: [*s.files(f.snapshot).values()]),
    (lambda s, f: list(s.each_file(99)), lambda s, f: []),
    (lambda s, f: (s.files_without_version(f.snapshot), s.files_without_version(99)), lambda s, f: ([], [])),
    (lambda s, f: (s.files_with_problems(f.snapshot), s.files_with_problems(99)), lambda s, f: ({}, {})),
    (lambda s, f: (s.files(f.snapshot, ["2.py"]), s.files(99)), lambda s, f: ({}, {})),
    (lambda s, f: s.shown_versions(), lambda s, f: {f.version.version}),
    (lambda s, f: s.versions_with(f.snapshot, [f.identity, 99]), lambda s, f: {f.identity: f.version.version}),
    (lambda s, f: s.versions_with(99, [f.identity]), lambda s, f: {}),
    (lambda s, f: list(s.all_entities(f.snapshot)), lambda s, f: [entity(f)]),
    (lambda s, f: (s.names(f.snapshot), s.names(99)), lambda s, f: ([("f", "A.f")], [])),
    (lambda s, f: [*s.sources(f.snapshot, ["go", "python"])], lambda s, f: [("1.py", "python", b"source")]),
    (lambda s, f: [*s.sources(f.snapshot, ["go"]), *s.sources(99, ["python"])], lambda s, f: []),
    (lambda s, f: s.entities_in(f.snapshot, ["1.py", "2.py"]), lambda s, f: [entity(f)]),
    (lambda s, f: s.entities_named(f.snapshot, ["f", "g"]), lambda s, f: [entity(f)]),
    (lambda s, f: s.entities_qualified(f.snapshot, ["A.f"]), lambda s, f: [entity(f)]),
    (lambda s, f: s.entities_of(f.snapshot, [f.identity]), lambda s, f: [entity(f)]),
    (lambda s, f: s.entities_marked(f.snapshot, ["bm-1.py"]), lambda s, f: [entity(f)]),
    (lambda s, f: s.entities_marked(99, ["bm-1.py"]) + s.entities_in(99, ["1.py"]), lambda s, f: []),
    (lambda s, f: s.names_starting(f.snapshot, "", 9), lambda s, f: ["A.f", "f"]),
    (lambda s, f: s.names_starting(f.snapshot, "A.", 9), lambda s, f: ["A.f"]),
    (lambda s, f: s.names_starting(f.snapshot, "", 1), lambda s, f: ["A.f"]),
    (lambda s, f: s.names_starting(f.snapshot, "g", 9) + s.names_starting(99, "", 9), lambda s, f: []),
    (
        lambda s, f: (s.most_called(f.snapshot, 9), s.most_called(f.snapshot, 0), s.most_called(99, 9)),
        lambda s, f: (["g"], [], []),
    ),
    (lambda s, f: s.files_referring(f.snapshot, ["g"]), lambda s, f: [referring(f, b"g")]),
    (
        lambda s, f: s.files_referring(f.snapshot, ["alias", "h", "i"]),
        lambda s, f: [referring(f, b"a"), referring(f, b"h")],
    ),
    (
        lambda s, f: s.entities_at([(f.version.version, 0), (f.version.version, 1), (99, 0)]),
        lambda s, f: {(f.version.version, 0): (f.identity, "fn", "f", "A.f", 1, 2)},
    ),
    (lambda s, f: s.entities_at([]), lambda s, f: {}),
    (lambda s, f: s.files_referring(f.snapshot, ["i"]) + s.files_referring(99, ["g"]), lambda s, f: []),
    (lambda s, f: s.named_references(f.version.version), lambda s, f: REFERRED),
    (lambda s, f: s.named_references(99), lambda s, f: []),
    (lambda s, f: s.count_references(f.snapshot, ["g", "h", "alias"]), lambda s, f: {"g": 2, "h": 1, "alias": 0}),
    (lambda s, f: (s.count_references(99, ["g"]), s.count_references(99, [])), lambda s, f: ({"g": 0}, {})),
    (lambda s, f: (s.unsearched_texts(f.snapshot), s.unsearched_texts(99)), lambda s, f: ({f.extraction}, set())),
    (lambda s, f: s.files_with(f.snapshot, ["any", "word"]), lambda s, f: [text_file(f)]),
    (lambda s, f: s.files_with(99, ["word"]), lambda s, f: []),
    (
        lambda s, f: s.counts(f.snapshot),
        lambda s, f: {"files": 1, "entities": 1, "chunks": 2, "edges": 1, "identities": 1},
    ),
    (lambda s, f: (s.file_counts(f.snapshot), s.file_counts(99)), lambda s, f: ((1, 0, 0), (0, 0, 0))),
    (
        lambda s, f: s.summarize_files(f.snapshot),
        lambda s, f: [FileSummary("1.py", "python", 10, 1, 1, f.run.run)],
    ),
    (lambda s, f: s.summarize_files(99) + s.summarize_files(f.snapshot, "1.py"), lambda s, f: []),
    (lambda s, f: list(s.notes(f.snapshot)), lambda s, f: [("1.py", b"notes")]),
    (lambda s, f: s.versions([f.version.version, 99]), lambda s, f: {f.version.version: f.version}),
    (lambda s, f: s.versions_of("1.py"), lambda s, f: [f.version]),
    (
        lambda s, f: s.versions_at([("1.py", f.extraction), ("2.py", f.extraction)]),
        lambda s, f: {("1.py", f.extraction): [f.version]},
    ),
    (lambda s, f: s.newest_versions([f.run.run]), lambda s, f: {"1.py": f.version}),
    (lambda s, f: s.versions_in([f.run.run, 99]), lambda s, f: [f.version]),
    (lambda s, f: s.keys_at([semantic_path("1.py")]), lambda s, f: [f.key]),
    (lambda s, f: s.keys_named(["f", "fn"]), lambda s, f: [f.key]),
    (lambda s, f: s.keys_of([f.identity]), lambda s, f: [f.key]),
    (lambda s, f: s.identities([f.identity, 99]), lambda s, f: [born(f)]),
    (lambda s, f: s.identities_marked(["bm-1.py", "bm-2"]), lambda s, f: [born(f)]),
    (lambda s, f: (s.has_identities(), s.count_identities()), lambda s, f: (True, 1)),
    (lambda s, f: s.events_of([f.identity]), lambda s, f: []),
    (lambda s, f: (s.latest_changes(9), s.latest_changes(0)), lambda s, f: ([(f.run.run, f.identity)], [])),
    (lambda s, f: s.candidates_of([f.identity]), lambda s, f: []),
    (lambda s, f: s.derivations_of([f.identity]), lambda s, f: []),
    (lambda s, f: s.runs([f.run.run, 99]), lambda s, f: {f.run.run: Run(f.run.run, ".", "main", "r1", 101)}),
    (lambda s, f: s.replayed_commits(), lambda s, f: {}),
    (lambda s, f: s.check_integrity(), lambda s, f: []),
]


def test_what_was_written_is_read(stores: Stores, store: Store) -> None:
    filled = fill(store)
    with closing(stores.index(writable=False)) as reader:
        for ask, expected in ASKED:
            assert ask(store, filled) == ask(reader, filled) == expected(store, filled)


def test_nothing_is_found_where_nothing_is_asked_for_or_stored(store: Store) -> None:
    assert (store.has_identities(), store.count_identities(), store.snapshots()) == (False, 0, [])
    fill(store)
    assert [*store.identities([]), *store.keys_of([]), *store.keys_at([]), *store.events_of([])] == []
    assert [*store.entities_in(1, []), *store.files_referring(1, []), *store.deletions_with([])] == []
    assert (store.versions([]), store.versions_at([]), store.runs([]), store.newest_versions([])) == ({}, {}, {}, {})


def test_many_values_are_asked_for_at_once(store: Store) -> None:
    filled = fill(store)
    assert len(store.identities(range(100_000))) == 1
    assert len(store.entities_named(filled.snapshot, ["f", *map(str, range(100_000))])) == 1


@pytest.mark.parametrize("path", ["ä/ü.py", "a b'c\"d.py", "%_?*.py", "\U0001f600.py"])
def test_any_path_can_be_stored(store: Store, path: str) -> None:
    filled = fill(store, path)
    assert [one.path for one in store.entities_in(filled.snapshot, [path])] == [path]
    assert [one.path for one in store.versions_of(path)] == list(store.files(filled.snapshot)) == [path]


def test_a_store_belongs_to_one_repository(
    make_stores: Callable[[Path], Stores], stores: Stores, store: Store, tmp_path: Path
) -> None:
    fill(store)
    with closing(stores.index(writable=False)) as again, closing(stores.subscriptions()) as subscriptions:
        assert store.repository == again.repository == subscriptions.repository
    with closing(make_stores(tmp_path / "other").index()) as other:
        assert other.repository != store.repository
        assert not other.has_identities()


def test_settings_are_kept(stores: Stores, store: Store) -> None:
    assert store.meta("format") is None
    store.set_meta("format", 1)
    store.set_meta("format", 2)
    with closing(stores.index(writable=False)) as reader:
        assert reader.meta("format") == 2


def test_an_extraction_keeps_its_number_when_it_is_made_anew(store: Store) -> None:
    extraction = fill(store).extraction
    with store.writing():
        store.put_extractions("x1", [(KEY, msgspec.structs.replace(EXTRACTION, level=Level.NODES, nodes=b"nodes"))])
    assert store.extractions([KEY], "x1", Level.NODES) == {KEY: extraction}
    assert store.nodes(extraction) == b"nodes"


# Numbers


def test_packages_are_replaced_as_a_whole(stores: Stores, store: Store) -> None:
    money = Package(Ecosystem.PYPI, "acme-money", "", "pyproject.toml", ("numpy", "shop"))
    dates = Package(Ecosystem.NPM, '@acme/it\'s\n"dates"', "packages/dates", "packages/dates/package.json")
    assert store.packages() == []
    store.put_packages([money, dates])
    with closing(stores.index(writable=False)) as reader:
        assert reader.packages() == [money, dates]
    store.put_packages([dates])
    assert store.packages() == [dates]


def test_numbers_are_allotted_once(store: Store) -> None:
    first = fill(store)
    with store.writing():
        runs = [store.begin_run(".", "main", None, 0).run for _ in range(3)]
        identities = [*store.allot_identities(3), *store.allot_identities(0), *store.allot_identities(2)]
        keys = [*store.allot_keys(2), *store.allot_keys(1)]
    assert [first.run.run, *runs] == sorted({first.run.run, *runs})
    assert len({first.identity, *identities}) == 6
    assert len({first.key.key, *keys}) == 4


def test_later_versions_have_higher_numbers(store: Store) -> None:
    filled = fill(store)
    with store.writing():
        new = Version(0, "1.py", filled.extraction, filled.run.run, (filled.identity,))
        versions = store.append_ledger(LedgerEntries(filled.run.run, versions=[new, new]))
    assert [version.version for version in store.versions_of("1.py")] == [
        *(version.version for version in reversed(versions)),
        filled.version.version,
    ]
    assert store.newest_versions([filled.run.run]) == {"1.py": versions[-1]}


# The graph of replayed commits


def test_files_as_commits_left_them(store: Store) -> None:
    filled = fill(store)
    assert (store.has_commits(), store.path_states("1.py")) == (False, [])  # What a worktree had is no commit's.
    with store.writing():
        runs = [store.begin_run(REPLAY, None, name, 1).run for name in ("c0", "c1", "c2", "c3")]
        first, second, side, merge = nodes = [
            CommitNode(runs[0], runs[0], 0, ()),
            CommitNode(runs[1], runs[0], 1, (runs[0],)),
            CommitNode(runs[2], runs[2], 0, (runs[0],)),
            CommitNode(runs[3], runs[0], 2, (runs[1], runs[2])),
        ]
        new = Version(0, "1.py", filled.extraction, runs[0], (filled.identity, 7))
        (version,) = store.append_ledger(LedgerEntries(runs[0], versions=[new]))
        for node, removed, unread in zip(nodes, ([], ["1.py"], [], []), ([], [], ["1.py"], []), strict=True):
            store.append_commit(node, removed, unread)
        store.put_links({version.version: b"links"})
    assert store.has_commits()
    assert store.commits([*runs, 99]) == dict(zip(runs, nodes, strict=True))
    assert store.commits_named(["c0", "c3", "r1"]) == {"c0": first, "c3": merge}
    assert store.chain_ends([runs[0], runs[2]]) == {runs[0]: 2, runs[2]: 0}
    assert store.chain_bases() == {runs[2]: (runs[0], 0)}
    states = {state.revision: state for state in store.path_states("1.py")}
    assert states == {
        "c0": PathState(first, "c0", None, version.version, (filled.identity, 7), CONTENT, "python", "x1", b"links"),
        "c1": PathState(second, "c1", "c0", None, (), b"", "", "", None),
        "c2": PathState(side, "c2", "c0", None, (), b"", "", "", None, is_read=False),
    }


# The ledger


def event(filled: Filled, change: str, path: str = "1.py") -> Event:
    return Event(filled.identity, filled.run.run, change, path, "f", 1, 2, HASH, "body", None)


def test_events_come_in_their_order_and_deletions_by_content_and_path(store: Store) -> None:
    filled = fill(store)
    events = [event(filled, Change.MODIFIED), event(filled, Change.DELETED), event(filled, Change.REVIVED, "2.py")]
    for one in events:
        with store.writing():
            store.append_ledger(LedgerEntries(filled.run.run, events=[one]))
    assert store.events_of([filled.identity]) == events
    assert store.deletions_with([HASH]) == store.deletions_from("1.py") == [events[1]]
    assert store.deletions_with(["another"]) == store.deletions_from("2.py") == []


def test_the_latest_changes_are_those_of_the_newest_runs(store: Store) -> None:
    filled = fill(store)
    with store.writing():
        later = store.begin_run(".", "main", "r2", 102).run
        other = issue_key(store, "2.py")
        append(store, later, other, "bm-2", "2.py", filled.extraction)
        again = [event(filled, change)._replace(run=later) for change in (Change.MODIFIED, Change.DELETED)]
        store.append_ledger(LedgerEntries(later, events=again))
    newest = [(later, filled.identity), (later, other.identity)]
    assert store.latest_changes(9) == [*newest, (filled.run.run, filled.identity)]
    assert store.latest_changes(2) == newest


def test_files_are_summarized_by_folder_with_all_versions_of_their_paths(store: Store) -> None:
    filled = fill(store, "a/b.py")
    with store.writing():
        later = store.begin_run(".", "main", "r2", 102).run
        paths = ["a/b.py", "a-/b.py", "a/c/d.py", "a0.py", "a.py"]
        versions = [
            append(store, later, issue_key(store, f"{number}.py"), f"bm-{number}", path, filled.extraction)
            for number, path in enumerate(paths)
        ]
        files = [snapshot_file(version.path, version.version) for version in versions]
        store.change_files(filled.snapshot, [*files, snapshot_file("a/unknown", None)], [])
    assert [one.path for one in store.summarize_files(filled.snapshot)] == sorted(paths)
    below = [FileSummary("a/b.py", "python", 10, 1, 2, later), FileSummary("a/c/d.py", "python", 10, 1, 1, later)]
    assert store.summarize_files(filled.snapshot, "a") == below


def test_candidates_are_known_from_both_ends(store: Store) -> None:
    run = fill(store).run.run
    with store.writing():
        store.append_ledger(LedgerEntries(run, candidates=[(1, 2), (1, 3)]))
    assert store.candidates_of([1]) == [(1, 2), (1, 3)]
    assert store.candidates_of([3]) == [(1, 3)]
    assert store.candidates_of([3, 1]) == [(1, 2), (1, 3)]


def test_derivations_are_known_from_both_ends_and_come_as_they_were_found(store: Store) -> None:
    with store.writing():
        runs = [store.begin_run(REPLAY, None, revision, 1).run for revision in ("a", "b")]
        copied, split, again = (
            LedgerDerivation(*ends, run, "copied from", 0.5, 0.25, "shared code", "medium")
            for ends, run in (((1, 3), runs[0]), ((1, 2), runs[1]), ((1, 3), runs[1]))
        )
        for run, found in ((runs[1], [split, again]), (runs[0], [copied])):
            store.append_ledger(LedgerEntries(run, derivations=found))
    assert store.derivations_of([1]) == [copied, split, again]
    assert store.derivations_of([2]) == [split]
    assert store.derivations_of([3]) == [copied, again]
    assert store.derivations_of([4]) == []


def test_the_keys_of_an_identity_come_as_they_were_issued(store: Store) -> None:
    filled = fill(store)
    keys = [filled.key]
    for name in ("z.py", "a.py"):
        with store.writing():
            keys.append(LedgerKey(store.allot_keys(1)[0], semantic_path(name), 100, filled.identity))
            store.append_ledger(LedgerEntries(filled.run.run, [keys[-1]]))
    assert store.keys_of([filled.identity]) == keys


def test_replayed_commits_are_known_by_their_runs(store: Store) -> None:
    fill(store)
    with store.writing():
        runs = {commit: store.begin_run(REPLAY, None, commit, 5).run for commit in ("c1", "c2")}
    assert store.replayed_commits() == runs


@pytest.mark.parametrize("twice", ["mark", "key"])
def test_no_mark_and_no_key_is_stored_twice(store: Store, twice: str) -> None:
    filled = fill(store)
    mark, birth = ("bm-1.py", 200) if twice == "mark" else ("bm-2", 100)
    with pytest.raises(StoreError), store.writing():
        append(store, filled.run.run, issue_key(store, "1.py", birth), mark, "1.py", filled.extraction)
    assert store.count_identities() == 1


# Snapshots


def start_branch(store: Store, base: int) -> int:
    return store.snapshot_for(store.begin_run(".", "side", None, 200), "x1", base)


def test_a_snapshot_starts_as_what_the_worktree_held_last(store: Store) -> None:
    main = fill(store).snapshot
    with store.writing():
        side = start_branch(store, main)
    assert store.files(side) == store.files(main)
    assert [found.branch for found in store.snapshots()] == ["side", "main"]
    assert store.snapshot(".") == store.snapshots()[0]
    with store.writing():
        assert store.snapshot_for(store.begin_run(".", "main", "r2", 300), "x2", main) == main
    assert [(found.branch, found.revision, found.extractor) for found in store.snapshots()] == [
        ("main", "r2", "x2"),
        ("side", None, "x1"),
    ]


def test_a_version_is_shown_as_long_as_a_snapshot_has_it(store: Store) -> None:
    filled = fill(store)
    with store.writing():
        side = start_branch(store, filled.snapshot)
        store.change_files(filled.snapshot, [], ["1.py"])
    assert [row.mark for row in store.all_entities(side)] == ["bm-1.py"]
    with store.writing():
        store.change_files(side, [], ["1.py"])
    assert (list(store.all_entities(side)), store.shown_versions()) == ([], set())
    assert store.named_references(filled.version.version) == []
    assert store.versions_of("1.py") == [filled.version]
    with store.writing():
        store.show_versions([content_of(filled.version.version, filled.key)])
        store.change_files(side, [snapshot_file("1.py", filled.version.version)], [])
    assert (len(list(store.all_entities(side))), store.named_references(filled.version.version)) == (1, REFERRED)


def test_a_file_is_replaced(store: Store) -> None:
    filled = fill(store)
    changed = snapshot_file("1.py", None)._replace(size=1, problem="cannot be read", os_path=b"\xff.py")
    with store.writing():
        store.change_files(filled.snapshot, [changed], ["never.py"])
    assert store.files(filled.snapshot) == store.files_with_problems(filled.snapshot) == {"1.py": changed}
    assert list(store.all_entities(filled.snapshot)) == []


# Search


def name_keys(store: Store, filled: Filled, names: Sequence[str]) -> None:
    """Keys of one identity, which is called otherwise each time."""
    with store.writing():
        numbers = store.allot_keys(len(names))
        keys = [
            LedgerKey(key, f"python:fn:{name}:__1_py", key, filled.identity)
            for key, name in zip(numbers, names, strict=True)
        ]
        store.append_ledger(LedgerEntries(filled.run.run, keys))


NAMES = ["url_for", "urlFor", "get-url-for", "test_url_for", "Größe_messen", "run", "a%3Ab", 'quo"te"d', "x"]
LIKE = [
    ("urlfor", {"url_for", "urlFor", "get-url-for", "test_url_for"}),
    ("URLFOR", {"url_for", "urlFor", "get-url-for", "test_url_for"}),
    ("urlfro", {"url_for", "urlFor", "get-url-for", "test_url_for"}),
    ("größe", {"Größe_messen"}),
    ("rnu", {"run"}),
    ('quo"te', {'quo"te"d'}),
    ("a%3ab", {"a%3Ab"}),
    ("xy", {"x"}),
    ("f", {"f"}),
    ("nothing_of_it", set()),
    ("", set()),
]


@pytest.mark.parametrize(("text", "expected"), LIKE, ids=[text for text, _ in LIKE])
def test_names_are_found_that_share_something_with_a_text(stores: Stores, text: str, expected: set[str]) -> None:
    """And short ones that start or end so; in whichever run their keys were issued."""
    with closing(stores.index()) as store:
        filled = fill(store)
        name_keys(store, filled, NAMES[:4])
        name_keys(store, filled, [*NAMES[4:], *NAMES[:4]])
        found = store.names_like(text, 100)
    assert len(found) == len(set(found))
    assert expected <= set(found)
    assert {name for name in found if len(name) > len(text) + 1} <= expected


def test_names_that_share_most_come_first(store: Store) -> None:
    filled = fill(store)
    name_keys(store, filled, ["parser", "parse_the_request", "parse_request", "request"])
    assert store.names_like("parserequest", 9)[0] == "parse_request"
    assert store.names_like("parserequest", 2) == store.names_like("parserequest", 9)[:2]


def test_texts_are_searched_by_what_is_in_them(store: Store) -> None:
    filled = fill(store)
    with store.writing():
        store.put_texts([(filled.extraction, 'def F(x):\n    return "Größe" + x')])
    for words in (["return"], ["RETURN", "größ"], ["f(x)"], ['"gr'], ["ab"], []):
        assert store.files_with(filled.snapshot, words) == [text_file(filled)]
    for words in (["returns"], ["return", "nothing"], ['"""']):
        assert store.files_with(filled.snapshot, words) == []
    assert store.unsearched_texts(filled.snapshot) == set()


def test_texts_that_no_snapshot_has_are_dropped(store: Store) -> None:
    filled = fill(store)
    with store.writing():
        store.put_texts([(filled.extraction, "one text")])
        store.change_files(filled.snapshot, [], ["1.py"])
    with store.writing():
        store.put_texts([])
        store.show_versions([content_of(filled.version.version, filled.key)])
        store.change_files(filled.snapshot, [snapshot_file("1.py", filled.version.version)], [])
    assert store.unsearched_texts(filled.snapshot) == {filled.extraction}
    with store.writing():
        store.put_texts([(filled.extraction, "one text")])
        store.put_texts([(filled.extraction, "another text")])
    assert store.files_with(filled.snapshot, ["another"]) == [text_file(filled)]
    assert (store.files_with(filled.snapshot, ["one"]), store.check_integrity()) == ([], [])


def test_names_of_a_failing_transaction_are_not_found(store: Store) -> None:
    filled = fill(store)

    def fail() -> None:
        with store.writing():
            key = LedgerKey(store.allot_keys(1)[0], "python:fn:some_name:__1_py", 100, filled.identity)
            store.append_ledger(LedgerEntries(filled.run.run, [key]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert store.names_like("some_name", 9) == []
    name_keys(store, filled, ["some_name"])
    assert store.names_like("somename", 9) == ["some_name"]


# Transactions


def test_a_failing_transaction_leaves_nothing(store: Store) -> None:
    filled = fill(store)

    def fail() -> None:
        with store.writing():
            run = store.begin_run(".", "main", "r2", 200)
            append(store, run.run, issue_key(store, "2.py"), "bm-2", "2.py", filled.extraction)
            store.change_files(filled.snapshot, [], ["1.py"])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    for ask, expected in ASKED:
        assert ask(store, filled) == expected(store, filled)
    assert fill(store, "2.py").version.path == "2.py"


def test_a_reader_sees_the_state_before_until_the_commit(stores: Stores, store: Store) -> None:
    fill(store)
    with closing(stores.index(writable=False)) as reader:
        with store.writing():
            run = store.begin_run(REPLAY, None, "c1", 0)
            assert reader.replayed_commits() == {}
        assert reader.replayed_commits() == {"c1": run.run}


def test_a_reader_may_not_write(stores: Stores, store: Store) -> None:
    fill(store)
    reader = stores.index(writable=False)
    with closing(reader), pytest.raises(BirthmarkError, match="not allowed to write"), reader.writing():
        reader.begin_run(".", None, None, 0)


# Subscriptions, scans and messages


@pytest.fixture
def subscriptions(stores: Stores) -> Iterator[SubscriptionStore]:
    with closing(stores.subscriptions()) as subscriptions:
        yield subscriptions


@pytest.mark.parametrize("table", DocumentTable)
def test_documents_are_put_replaced_and_deleted(
    stores: Stores, subscriptions: SubscriptionStore, table: DocumentTable
) -> None:
    with subscriptions.writing():
        subscriptions.put_documents(table, {"b": b"2", "a": b"1", "c": b"3"})
        subscriptions.put_documents(table, {"b": b"4"})
        subscriptions.delete_documents(table, ["c", "never"])
    with closing(stores.subscriptions()) as again:
        expected = {one: [b"1", b"4"] if one is table else [] for one in DocumentTable}
        assert {one: again.documents(one) for one in DocumentTable} == expected
        assert again.documents(table, ["b", "never"]) == [b"4"]
        assert again.documents(table, []) == []


def test_contents_that_nobody_uses_are_forgotten(subscriptions: SubscriptionStore) -> None:
    assert not subscriptions.has_contents()
    with subscriptions.writing():
        subscriptions.keep_contents({"aa": b"one", "bb": b"two"})
        subscriptions.keep_contents({"bb": b"two"})
        subscriptions.drop_contents({"bb", "cc"})
    assert (subscriptions.content("aa"), subscriptions.content("bb")) == (None, b"two")
    assert subscriptions.has_contents()


def test_a_scan_and_its_messages_are_kept_together_or_not_at_all(subscriptions: SubscriptionStore) -> None:
    def write() -> None:
        with subscriptions.writing():
            number = subscriptions.add_scan("2026-11-15T12:00:00Z", "a", "b", 1)
            subscriptions.post([Message("msg_1", number, "chat", b"{}")])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert (subscriptions.scans(10), subscriptions.messages()) == ([], [])


def test_the_newest_scan_comes_first(subscriptions: SubscriptionStore) -> None:
    assert subscriptions.scan() is None
    with subscriptions.writing():
        numbers = [subscriptions.add_scan(f"2026-11-15T12:00:0{second}Z", "a", "b", 0) for second in range(3)]
        subscriptions.set_scan(numbers[-1], b"found")
    assert [(row.scan, row.document) for row in subscriptions.scans(2)] == [(numbers[2], b""), (numbers[1], b"")]
    last = subscriptions.scan()
    assert last is not None
    assert (last.scan, last.base, last.target, last.document) == (numbers[-1], "a", "b", b"found")
    assert subscriptions.scan(99) is None


def test_what_scans_found_long_ago_is_forgotten(subscriptions: SubscriptionStore) -> None:
    """That they were is not, nor what is still to be delivered of them."""
    states = (DeliveryState.DELIVERED, DeliveryState.PENDING, DeliveryState.DEAD)
    with subscriptions.writing():
        numbers = [subscriptions.add_scan("2026-11-15T12:00:00Z", "a", "b", 0) for _ in range(KEPT_SCANS + 2)]
        for number in numbers:
            subscriptions.post(Message(f"msg_{number}_{state}", number, "chat", b"{}", state) for state in states)
            subscriptions.set_scan(number, b"{}")
    assert len(subscriptions.scans(1000)) == len(numbers)
    found = [subscriptions.scan(number) for number in numbers]
    assert [row.document for row in found if row is not None] == [b"", b""] + [b"{}"] * KEPT_SCANS
    assert {message.scan for message in subscriptions.messages(DeliveryState.DELIVERED)} == set(numbers[2:])
    assert {message.scan for message in subscriptions.messages(DeliveryState.PENDING)} == set(numbers)
    assert {message.scan for message in subscriptions.messages(DeliveryState.DEAD)} == set(numbers)


def test_messages_are_due_when_their_time_has_come(subscriptions: SubscriptionStore) -> None:
    messages = [Message(f"msg_{at}", 1, "chat", b"{}", next_at=at, created_at=str(-at)) for at in (3.0, 1.0, 2.0)]
    with subscriptions.writing():
        subscriptions.post(messages)
    assert [message.next_at for message in subscriptions.due(2.0)] == [1.0, 2.0]
    assert set(subscriptions.messages()) == set(subscriptions.messages(DeliveryState.PENDING)) == set(messages)


def test_a_message_is_claimed_by_one(stores: Stores, subscriptions: SubscriptionStore) -> None:
    with subscriptions.writing():
        subscriptions.post([Message("msg_1", 1, "chat", b"{}", next_at=5.0)])
    with closing(stores.subscriptions()) as other:
        assert not other.claim("msg_1", 4.0, 20.0)
        assert subscriptions.claim("msg_1", 5.0, 20.0)
        assert not other.claim("msg_1", 6.0, 30.0)
        assert (other.due(19.0), [message.message for message in other.due(20.0)]) == ([], ["msg_1"])


def test_what_was_delivered_remains_so(subscriptions: SubscriptionStore) -> None:
    message = Message("msg_1", 1, "chat", b"{}")
    with subscriptions.writing():
        subscriptions.post([message])
    delivered = message._replace(state=DeliveryState.DELIVERED, attempts=1)
    subscriptions.settle(delivered)
    subscriptions.settle(message._replace(state=DeliveryState.DEAD, attempts=1, error="too slow"))
    assert subscriptions.messages() == [delivered]
    assert not subscriptions.claim("msg_1", 1.0, 2.0)


# The network

USE: Posting = ("1.py", 7, b"calls")
MAYBE: Posting = ("1.py", "/open/a", b"may call")


def change_of(*postings: Posting, gone: Collection[str] = ()) -> NetworkChange:
    files = [(path, 1, b"lookups", b"provisions") for path in sorted({path for path, _, _ in postings})]
    return NetworkChange(files, postings, gone, {"/open/a": [7, 9]} if MAYBE in postings else {})


def change_network(store: Store, since: int, change: NetworkChange, maker: str = "m1") -> bool:
    with store.writing():
        return store.change_network(".", maker, since, change)


def test_a_network_is_asked_in_both_directions(store: Store) -> None:
    assert store.network(".") is None
    other: Posting = ("2.py", 7, b"reads")
    module: Posting = ("2.py", "1.py", b"imports")
    assert change_network(store, 0, change_of(USE, MAYBE, other, module))
    known = store.network(".")
    assert known is not None
    assert (known.maker, known.generation) == ("m1", 1)
    assert store.postings_to(known.network, [7, "3.py"]) == [USE, other]
    assert store.postings_to(known.network, ["1.py", "/open/a"]) == [MAYBE, module]
    assert sorted(store.postings_in(known.network, ["1.py"]), key=str) == sorted([USE, MAYBE], key=str)
    assert sorted(store.all_postings(known.network), key=str) == sorted([USE, MAYBE, other, module], key=str)
    assert sorted(store.candidate_sets(known.network, [7, 8])) == [(7, "/open/a")]
    assert sorted(store.candidates(known.network, ["/open/a"])) == [("/open/a", 7), ("/open/a", 9)]
    assert store.resolved_versions(known.network) == {"1.py": 1, "2.py": 1}
    assert sorted(store.lookups(known.network)) == [("1.py", b"lookups"), ("2.py", b"lookups")]
    assert store.provisions(known.network, ["1.py", "3.py"]) == {"1.py": b"provisions"}


def test_a_file_of_a_network_is_replaced_with_all_its_edges(store: Store) -> None:
    assert change_network(store, 0, change_of(USE, MAYBE, ("2.py", 7, b"calls")))
    assert change_network(store, 1, change_of(("1.py", 7, b"calls twice"), gone=["2.py"]))
    known = store.network(".")
    assert known is not None
    assert list(store.all_postings(known.network)) == [("1.py", 7, b"calls twice")]
    assert store.resolved_versions(known.network) == {"1.py": 1}


def test_a_network_that_was_changed_meanwhile_is_left_alone(store: Store) -> None:
    assert change_network(store, 0, change_of(USE))
    assert not change_network(store, 0, change_of(MAYBE))
    known = store.network(".")
    assert known is not None
    assert list(store.all_postings(known.network)) == [USE]


def test_what_another_maker_resolved_is_dropped(store: Store) -> None:
    assert change_network(store, 0, change_of(("2.py", 7, b"calls"), MAYBE))
    assert change_network(store, 1, change_of(USE), "m2")
    known = store.network(".")
    assert known is not None
    assert (known.maker, list(store.all_postings(known.network))) == ("m2", [USE])
    assert store.candidates(known.network, ["/open/a"]) == []
