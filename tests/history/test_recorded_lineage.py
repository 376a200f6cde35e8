"""What a history reads from the records of a replay is what it finds in git, event by event."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from birthmark.app.histories.blames import read_blames
from birthmark.app.histories.histories import find_subject, history_document, read_derived_history, read_members
from birthmark.app.histories.lineages import open_recorded
from birthmark.app.histories.subjects import start_of
from birthmark.app.indexing.checking import repair_index
from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.app.workspace.workspace import find_workspace
from birthmark.extraction.state import os_path
from birthmark.history.follow import WalkedLineage, follow_lineage, follow_sources, shared_walk
from birthmark.history.lineage import EntityAtCommit, F, Lineage, NotRecordedError, ParentLink, Step
from birthmark.history.recorded_lineage import RecordedLineage
from birthmark.sources.git.log import log_path
from birthmark.vocabulary import HistoryChange
from examples import n_examples
from random_commits import VARIANTS, A, AnyGraph, B, Edits
from small_repositories import Commit, make_repository, replay
from worlds import run_git

ENDS = {HistoryChange.INTRODUCED, HistoryChange.RETURNED}

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")


def check_recorded(root: Path, revision: str = "HEAD") -> None:
    """Every entity at a revision, and what touched every file."""
    with open_repository(root) as past:
        head = past.revision(revision)
        recorded, walked = records(past, head.commit), shared_walk(past)
        for path in head.paths():
            blob = head.content_id(path)
            assert blob is not None
            assert recorded.touches(head.commit, path) == log_path(past.git, head.commit, os_path(path))
            outline = past.outlines([(blob, path)])[0]
            assert outline is not None
            for ordinal, entity in enumerate(outline.entities):
                place = head.commit, path, blob, outline, ordinal
                found = [*told(recorded, recorded.start(*place))], [*told(walked, walked.start(*place))]
                assert is_same(*found), f"{path}::{entity.qualified_name}"


def is_same(recorded: Sequence[tuple[object, object]], walked: Sequence[tuple[object, object]]) -> bool:
    """Compare down to a return that only one of them knows, or from another deletion: a walk does not look for all."""
    for (one, sources), (other, other_sources) in zip(recorded, walked, strict=False):
        if not isinstance(one, Step):
            assert isinstance(sources, list)
            assert isinstance(other_sources, list)
            if one != other:
                return False
            if not is_same_story(sources, other_sources):
                return False
            if sources != other_sources:
                return True
        elif one != other:
            break
    return is_same_story([one for one, _ in recorded], [one for one, _ in walked])


def is_same_story(recorded: Sequence[object], walked: Sequence[object]) -> bool:
    is_return = False
    for one, other in zip(recorded, walked, strict=False):
        if isinstance(one, Step) and isinstance(other, Step):
            words = {*one.changes, *other.changes}
            if words == ENDS:
                return one.commit == other.commit
            if one != other:
                return is_return
            is_return = words == {HistoryChange.RETURNED}
        elif one != other:
            return False
    return len(recorded) == len(walked)


def records(past: OpenRepository, commit: str) -> RecordedLineage:
    recorded = open_recorded(past, commit)
    assert recorded is not None
    return recorded


def told(lineage: Lineage[F], start: F) -> Iterator[tuple[object, object]]:
    """All steps, with the sources of what they introduced, and the steps of the likeliest of those."""
    steps = follow_lineage(lineage, start)
    for step in steps:
        yield step, [source.end._replace(ref=None) for source in lineage.sources(step)]
    likeliest = next(iter(lineage.sources(steps[-1])), None)
    yield from ((source.end._replace(ref=None), found) for source, found in follow_sources(lineage, likeliest))


@given(st.integers(0, 1 << 30))
@settings(max_examples=n_examples(12), deadline=None, suppress_health_check=list(HealthCheck))
def test_any_graph(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    root = tmp_path_factory.mktemp("graph") / "root"
    make_repository(root, AnyGraph(seed).grow(12))
    replay(root)
    check_recorded(root)
    for number in range(0, 12, 4):
        check_recorded(root, f"work{number}")  # Most of them were not replayed.


@pytest.mark.parametrize("seed", range(3))
def test_edits_as_people_make_them(tmp_path: Path, seed: int) -> None:
    make_repository(tmp_path / "root", Edits(seed).grow(24))
    replay(tmp_path / "root")
    check_recorded(tmp_path / "root")


def answers(root: Path) -> list[str]:
    """All that the commands answer about the entities of HEAD, as JSON."""
    found = []
    with open_repository(root) as past:
        for blame in [*read_blames(past, ".", "HEAD")]:
            found.append(json.dumps(msgspec.to_builtins(blame)))
            subject = find_subject(past, f"{blame.entity.path}:{blame.entity.start_line}", "HEAD")
            histories = read_derived_history(past, subject, True), read_members(past, subject)
            found += [json.dumps(msgspec.to_builtins(history_document(history))) for history in histories]
    return found


@pytest.mark.parametrize("seed", [2, 5])
def test_commands_answer_the_same_with_and_without_an_index(tmp_path: Path, seed: int) -> None:
    root = tmp_path / "root"
    make_repository(root, AnyGraph(seed).grow(14))
    before = answers(root)
    assert before
    replay(root)
    assert answers(root) == before


def fail(*_: object) -> None:
    raise AssertionError("git is not asked for what touched a file, nor for its states")


def test_git_is_not_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    make_repository(root, [{"a.py": A}, {"a.py": B + A}, {"a.py": B + VARIANTS[1]}])
    replay(root)
    for name in ("touches", "blob"):
        monkeypatch.setattr(OpenRepository, name, fail)
    with open_repository(root) as past:
        steps = [event.step for event in read_derived_history(past, find_subject(past, "a.py::alpha", "HEAD")).events]
    assert [", ".join(step.changes) for step in steps] == ["body change", "introduced"]


def commit_on(root: Path, text: str, *options: str) -> None:
    (root / "a.py").write_text(text)
    run_git(root, "add", "-A")
    run_git(root, "commit", "-q", "-m", "m", *options)


def test_commits_since_the_last_replay_are_walked_alone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make_repository(root, [{"a.py": A + B}, {"a.py": VARIANTS[1] + B}])
    replay(root)
    run_git(root, "checkout", "-q", "-b", "side", "HEAD~1")
    commit_on(root, A + VARIANTS[5])
    run_git(root, "checkout", "-q", "main")
    (root / "b.py").write_text("")
    commit_on(root, VARIANTS[1] + B)
    run_git(root, "merge", "-q", "--no-edit", "side")
    with open_repository(root) as past:
        assert len(records(past, past.git.resolve("HEAD")).graph.new) == 3
    check_recorded(root)
    replay(root)
    with open_repository(root) as past:
        assert records(past, past.git.resolve("HEAD")).graph.new == {}
    check_recorded(root)


def test_copies_of_what_a_commit_did_not_touch(tmp_path: Path) -> None:
    root = tmp_path / "root"
    again = A.replace("alpha", "again")
    make_repository(
        root, [{"a.py": A + B}, {"a.py": VARIANTS[1] + B}, {"a.py": VARIANTS[1] + B, "b.py": B, "c.py": again}]
    )
    replay(root)
    with open_repository(root) as past:
        (copied, *_), (other, *_) = (
            read_derived_history(past, find_subject(past, ref, "HEAD"), True).events for ref in ("b.py:1", "c.py:1")
        )
    assert [(source.end.kind, source.end.place.path) for source in copied.derived_from] == [("copied from", "a.py")]
    assert other.derived_from == ()
    check_recorded(root)


def test_too_many_new_commits_are_left_to_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    make_repository(root, [{"a.py": A}])
    replay(root)
    for text in (VARIANTS[1], A, B):
        commit_on(root, text)
    monkeypatch.setattr("birthmark.app.histories.lineages._MOST_NEW", 2)
    with open_repository(root) as past:
        assert open_recorded(past, past.git.resolve("HEAD")) is None


MERGED = [Commit({"a.py": A + B}), Commit({"a.py": VARIANTS[1] + B}), Commit({"a.py": A + VARIANTS[5]}, (0,))]
MERGED += [Commit({"a.py": VARIANTS[1] + VARIANTS[5]}, (1, 2))]


@pytest.mark.parametrize(("merged", "n_walked"), [(VARIANTS[1] + VARIANTS[5], 0), (VARIANTS[2] + VARIANTS[5], 1)])
def test_a_merge_is_walked_only_by_what_it_changed_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merged: str, n_walked: int
) -> None:
    root = tmp_path / "root"
    make_repository(root, [*MERGED[:3], Commit({"a.py": merged}, (1, 2)), Commit({"a.py": merged + "C = 1\n"})])
    replay(root)
    walked: list[str] = []
    links = WalkedLineage.links

    def count(self: WalkedLineage, entity: EntityAtCommit) -> Sequence[ParentLink[EntityAtCommit]]:
        walked.append(entity.commit)
        return links(self, entity)

    monkeypatch.setattr(WalkedLineage, "links", count)
    with open_repository(root) as past:
        subject = find_subject(past, "a.py::alpha", "HEAD")
        recorded = records(past, subject.commit)
        assert follow_lineage(recorded, start_of(recorded, subject))
        assert walked == [past.git.resolve("HEAD~1")] * n_walked


def test_a_shallow_clone_is_walked(tmp_path: Path) -> None:
    make_repository(tmp_path / "root", MERGED)
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{tmp_path / 'root'}", "shallow")
    before = answers(tmp_path / "shallow")
    replay(tmp_path / "shallow")
    assert answers(tmp_path / "shallow") == before
    run_git(tmp_path / "shallow", "fetch", "-q", "--unshallow")
    replay(tmp_path / "shallow")
    assert answers(tmp_path / "shallow") == answers(tmp_path / "root")


def test_what_another_extractor_has_read_is_walked(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make_repository(root, MERGED)
    replay(root)
    with open_repository(root) as past:
        head = past.git.resolve("HEAD")
        assert past.store is not None
        other = RecordedLineage(shared_walk(past).pairings, past.store, "another", {})
        assert records(past, head).touches(head, "a.py")
        with pytest.raises(NotRecordedError):
            other.touches(head, "a.py")


def test_records_are_restored_with_the_ledger(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make_repository(root, MERGED)
    replay(root)
    (root / ".birthmark" / "index.db").unlink()
    repair_index(find_workspace(root), 1)
    check_recorded(root)
