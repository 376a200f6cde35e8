"""Histories of repositories that are odd, cut short or damaged: a right answer, or a line that says what is missing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from birthmark.app.histories.blames import name_in_repository, read_blames
from birthmark.app.histories.histories import find_subject, read_derived_history, read_history, read_members
from birthmark.app.workspace.repository import open_repository
from birthmark.errors import BirthmarkError
from birthmark.sources.git.log import log_path
from dialects import DIALECTS
from graphs import GRAPHS
from pasts import FakePast
from random_commits import A, B, C, D
from small_repositories import make_repository
from worlds import GIT_ENVIRONMENT, World, run_git

FIRST = "def f(a):\n    total = sum(a)\n    return total * 2\n\n\ndef g(b):\n    return [len(c) for c in b]\n"
SECOND = FIRST.replace("* 2", "* 3")
THIRD = SECOND.replace("sum(a)", "sum(a, 1)")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Three commits, all of the same second."""
    world = World(tmp_path / "world", with_git=True)
    for text in (FIRST, SECOND, THIRD):
        write_and_commit(world, {"a.py": text})
    return world


def write_and_commit(world: World, files: dict[str, str]) -> str:
    for path, text in files.items():
        world.write(path, text)
    world.git("add", "-A")
    world.git("commit", "-q", "--allow-empty", "-m", "m")
    return run_git(world.root, "rev-parse", "HEAD")


def story(root: Path, ref: str, revision: str = "HEAD") -> tuple[list[str], list[str]]:
    """What is told of a REF, newest first, and what problems there were."""
    with open_repository(root) as past:
        found = read_history(past, find_subject(past, ref, revision))
        return [", ".join(event.step.changes) for event in found.events], [problem.problem for problem in past.problems]


def test_commits_of_the_same_second(world: World) -> None:
    assert story(world.root, "a.py::f") == (["body change", "body change", "introduced"], [])
    assert story(world.root, "a.py::g") == (["introduced"], [])


def test_a_history_goes_on_into_what_the_code_came_from(tmp_path: Path) -> None:
    world = World(tmp_path / "world", with_git=True)
    price = "    net = sum(item.price * item.count for item in cart.items)\n    tax = net * cart.country.tax_rate\n"
    order = f"def order(cart):\n{price}    cart.mail(net + tax)\n    return cart.receipt\n"
    extracted = f"def find_price(cart):\n{price}    return net + tax\n"
    write_and_commit(world, {"a.py": order.replace("receipt", "bill")})
    write_and_commit(world, {"a.py": order})
    calling = "def order(cart):\n    cart.mail(find_price(cart))\n    return cart.receipt\n"
    write_and_commit(world, {"a.py": f"{calling}\n\n{extracted}"})
    with open_repository(world.root) as past:
        events = read_derived_history(past, find_subject(past, "a.py::find_price"), with_derivation=True).events
    assert [(event.source_name, ", ".join(event.step.changes)) for event in events] == [
        (None, "introduced"),
        ("order", "body change"),
        ("order", "introduced"),
    ]
    (source,) = events[0].derived_from
    assert (source.end.kind, source.end.place.qualified_name) == ("extracted from", "order")


def test_a_shallow_clone_says_where_it_ends(world: World, tmp_path: Path) -> None:
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{world.root}", "shallow")
    changes, problems = story(tmp_path / "shallow", "a.py::f")
    assert changes == ["body change", "introduced"]
    assert len(problems) == 1
    assert "shallow" in problems[0]


def test_a_partial_clone_says_what_it_lacks(world: World, tmp_path: Path) -> None:
    world.git("config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{world.root}", "partial")
    with pytest.raises(BirthmarkError, match="is not in this clone; fetch it with git or `--fetch`"):
        story(tmp_path / "partial", "a.py::f")


def test_a_partial_clone_follows_what_does_not_need_the_file_that_it_lacks(tmp_path: Path) -> None:
    big, again = C + f"TABLE = {[*range(900)]}\n", A.replace("alpha", "again")
    table = f"export const TABLE = {[*range(900)]};\n"
    commits = [
        {"a.py": A + B, "big.py": big, "big.js": table},
        {"c.py": A.replace("alpha", "first").replace("x * 2", "x * 3"), "big.py": big + D, "big.js": table + table},
        {"c.py": A.replace("alpha", "first"), "big.py": big, "big.js": table},
        {"c.py": A.replace("alpha", "first"), "d.py": B, "e.py": again},
    ]
    root = make_repository(tmp_path / "root", commits)
    root.git("config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--filter=blob:limit=2k", f"file://{root.root}", "partial")
    for ref, expected in {
        "c.py::first": ["body change", "rename, container change, body change", "introduced"],
        "d.py::beta": ["came back", "deleted", "introduced"],
        "e.py::again": ["introduced", "body change", "rename, container change, body change", "introduced"],
    }.items():
        whole, _ = derived(root.root, ref)
        changes, problems = derived(tmp_path / "partial", ref)
        assert changes == whole
        assert changes == expected
        assert any(path.startswith("big") and "not in this clone" in problem for path, problem in problems)


def derived(root: Path, ref: str) -> tuple[list[str], list[tuple[str, str]]]:
    """What is told of a REF and of what it came from, and the problems there were, with their paths."""
    with open_repository(root) as past:
        found = read_derived_history(past, find_subject(past, ref, "HEAD"), with_derivation=True)
        changes = [", ".join(event.step.changes) for event in found.events]
        return changes, [(problem.path, problem.problem) for problem in past.problems]


@pytest.mark.parametrize(
    ("name", "message"), [("HEAD~1:a.py", "is not in this clone"), ("HEAD~1^{tree}", "unable to read tree")]
)
def test_a_missing_object_is_named(world: World, name: str, message: str) -> None:
    id_ = run_git(world.root, "rev-parse", name)
    (world.root / ".git" / "objects" / id_[:2] / id_[2:]).unlink()
    with pytest.raises(BirthmarkError, match=message):
        story(world.root, "a.py::f")


def test_grafts_and_replacements_are_ignored(world: World) -> None:
    head, first = run_git(world.root, "rev-parse", "HEAD"), run_git(world.root, "rev-parse", "HEAD~2")
    (world.root / ".git" / "info").mkdir(exist_ok=True)
    (world.root / ".git" / "info" / "grafts").write_text(f"{head} {first}\n")
    world.git("update-ref", f"refs/replace/{head}", first)
    assert story(world.root, "a.py::f", head) == (["body change", "body change", "introduced"], [])


def test_a_repository_of_sha_256(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.git("init", "-q", "-b", "main", "--object-format=sha256")
    write_and_commit(world, {"a.py": FIRST})
    write_and_commit(world, {"a.py": SECOND})
    assert story(tmp_path, "a.py::f") == (["body change", "introduced"], [])


def test_submodules_and_links_are_no_files(world: World) -> None:
    head = run_git(world.root, "rev-parse", "HEAD")
    world.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub.py")
    os.symlink("a.py", world.root / "link.py")
    world.git("add", "link.py", "a.py")
    world.git("commit", "-q", "-m", "m")
    world.git("rm", "-q", "--cached", "sub.py")
    write_and_commit(world, {"sub.py": FIRST.replace("total", "result")})
    assert story(world.root, "sub.py::f") == (["introduced"], [])
    with pytest.raises(BirthmarkError, match=r"sub\.py"):
        story(world.root, "sub.py::f", "HEAD~1")


def test_names_that_are_no_utf_8(tmp_path: Path) -> None:
    world = World(tmp_path, with_git=True)
    path = os.fsencode(tmp_path) + b"/caf\xe9.py"
    for text in (FIRST, SECOND):
        Path(os.fsdecode(path)).write_text(text)
        world.git("add", "-A")
        environment = {os.fsencode(k): os.fsencode(v) for k, v in GIT_ENVIRONMENT.items()}
        environment[b"GIT_AUTHOR_NAME"] = b"Ren\xe9"
        command = ["git", "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-m", "m"]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    with open_repository(tmp_path) as past:
        (name,) = past.git.tree("HEAD")
        found = read_history(past, find_subject(past, f"{name}::f", "HEAD"))
    assert [", ".join(event.step.changes) for event in found.events] == ["body change", "introduced"]
    assert {event.commit.author for event in found.events} == {"René"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["{}/part.py", "{}.py"])
def test_a_renamed_folder_with_thousands_of_files_is_followed(tmp_path: Path, name: str) -> None:
    """All files have the same name, or none of them."""
    world = World(tmp_path, with_git=True)
    text = "def work_{0}(a):\n    return [step_{0}(b, {0}) for b in a if b.number > {0}]\n"
    write_and_commit(world, {f"old/{name.format(n)}": text.format(n) for n in range(2000)})
    (tmp_path / "old").rename(tmp_path / "new")
    write_and_commit(world, {})
    assert story(tmp_path, f"new/{name.format(1234)}::work_1234") == (["container change", "introduced"], [])


def test_blame_looks_past_what_is_cosmetic(world: World) -> None:
    write_and_commit(
        world, {"a.py": THIRD.replace("def f(a):\n", "def f(a):\n    # A comment.\n").replace("(c)", "( c )")}
    )
    with open_repository(world.root) as past:
        found = [*read_blames(past, "a.py", "HEAD")]
        ids = [run_git(world.root, "rev-parse", name) for name in ("HEAD~1", "HEAD~3")]
    blamed = {one.entity.name: (one.last.commit, one.introduced.commit) for one in found}
    assert blamed == {"f": (ids[0], ids[1]), "g": (ids[1], ids[1])}


def test_blame_of_a_file_outside(world: World, tmp_path: Path) -> None:
    with open_repository(world.root) as past, pytest.raises(BirthmarkError, match="name a file of the repository"):
        name_in_repository(past, tmp_path / "other.py")


def test_blame_tells_what_histories_tell(tmp_path: Path) -> None:
    """Entities that share a walk are told of as if each were alone, also where they have moved."""
    world = World(tmp_path, with_git=True)
    write_and_commit(world, {"a.py": FIRST})
    write_and_commit(world, {"a.py": SECOND, "b.py": "class A:\n    x = 1\n"})
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    write_and_commit(world, {"c.py": THIRD})
    with open_repository(tmp_path) as past:
        found = [*read_blames(past, "c.py", "HEAD")]
        for one in found:
            subject = find_subject(past, f"c.py::{one.entity.qualified_name}", "HEAD")
            steps = [event.step for event in read_history(past, subject).events]
            wrote = [step for step in steps if set(step.changes) - {"container change", "moved"}]
            assert (one.last.commit, one.last.changes) == (wrote[0].commit, wrote[0].changes)
            assert one.introduced.commit == steps[-1].commit
            assert one.last.changes != ("container change",)  # Whoever renamed the file did not write it.


def test_members_are_told_of_in_one_list(tmp_path: Path) -> None:
    world = World(tmp_path, with_git=True)
    write_and_commit(world, {"a.py": "class A:\n    def f(self):\n        return 1\n"})
    write_and_commit(
        world, {"a.py": "class A:\n    def f(self):\n        return 2\n\n    def g(self):\n        return f\n"}
    )
    write_and_commit(
        world, {"a.py": "class A(B):\n    def f(self):\n        return 2\n\n    def g(self):\n        return f\n"}
    )
    with open_repository(tmp_path) as past:
        found = read_members(past, find_subject(past, "a.py::A", "HEAD"))
    told = [(event.member, ", ".join(event.step.changes)) for event in found.events]
    assert told[0] == (None, "inheritance change")
    assert set(told[1:3]) == {("A.f", "body change"), ("A.g", "introduced")}
    assert set(told[3:]) == {(None, "introduced"), ("A.f", "introduced")}


@pytest.mark.parametrize("graph", GRAPHS)
def test_the_past_of_other_tests_walks_as_git_does(tmp_path: Path, graph: str) -> None:
    programs, parents, _, _ = GRAPHS[graph]
    files = [DIALECTS["python"].write(program) for program in programs]
    fake = FakePast(files, parents)
    ids = import_commits(tmp_path, files, fake)
    with open_repository(tmp_path) as past:
        for path in {path for tree in files for path in tree}:
            told = {touch: set(earlier) for touch, earlier in log_path(past.git, ids[-1], path.encode()).items()}
            expected = fake.touches(str(len(ids) - 1), path)
            assert told == {ids[int(touch)]: {ids[int(n)] for n in earlier} for touch, earlier in expected.items()}
            assert past.touches(ids[-1], path).keys() <= told.keys()


def import_commits(root: Path, files: Sequence[Mapping[str, str]], fake: FakePast) -> list[str]:
    """The commits of a fake past as real ones; gives their ids."""
    run_git(root, "init", "-q", "-b", "main")
    ids: list[str] = []
    for number, tree in enumerate(files):
        run_git(root, "read-tree", "--empty")
        for path, text in tree.items():
            (root / path).write_text(text)
            run_git(root, "add", path)
        parents = [word for parent in fake.parents(str(number)) for word in ("-p", ids[int(parent)])]
        ids.append(run_git(root, "commit-tree", run_git(root, "write-tree"), *parents, "-m", str(number)))
    run_git(root, "update-ref", "HEAD", ids[-1])
    return ids
