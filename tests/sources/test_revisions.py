"""Revisions in every form of git, ranges and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.errors import AmbiguousError, BirthmarkError, NotFoundError
from birthmark.sources.git.repository import GitRepository
from birthmark.sources.git.revisions import RevisionRange, parse_range, resolve_range, resolve_revision
from small_repositories import make_repository
from worlds import run_git

DAY = 86400
START = 1704110400  # 2024-01-01 12:00


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three commits on main, a day apart; `side` leaves it after the first; main tracks origin."""
    root = tmp_path_factory.mktemp("revisions") / "root"
    root.mkdir()
    run_git(root, "init", "-q", "-b", "main")
    _commit(root, "first", 0)
    _commit(root, "second of main", 1)
    run_git(root, "tag", "-a", "v1.0", "-m", "a tag")
    _commit(root, "third of main", 2)
    run_git(root, "checkout", "-q", "-b", "side", "main~2")
    _commit(root, "second of side", 1)
    run_git(root, "checkout", "-q", "main")
    run_git(root, "update-ref", "refs/remotes/origin/main", "main~1")
    for name, value in _TRACKING.items():
        run_git(root, "config", name, value)
    return root


_TRACKING = {
    "remote.origin.url": "https://nowhere.invalid",
    "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
    "branch.main.remote": "origin",
    "branch.main.merge": "refs/heads/main",
    'branch.a"b\\c.remote': "origin",
}


def _commit(root: Path, subject: str, day: int) -> None:
    run_git(root, "commit", "-q", "--allow-empty", "-m", subject, at=START + day * DAY)


@pytest.fixture(scope="module")
def repository(root: Path) -> Iterator[GitRepository]:
    with GitRepository(root) as repository:
        yield repository


def _ids(root: Path, *revisions: str) -> list[str]:
    return [run_git(root, "rev-parse", f"{revision}^{{commit}}") for revision in revisions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HEAD", "main"),
        ("@", "main"),
        ("HEAD~2", "main~2"),
        ("v1.0", "main~1"),
        ("v1.0^{commit}", "main~1"),
        ("v1.0^{}", "main~1"),
        ("refs/heads/side", "side"),
        ("@{upstream}", "main~1"),
        ("main@{U}", "main~1"),
        ("@{-1}", "side"),
        ("main@{0}", "main"),
        (":/second of side", "side"),
        ("HEAD^{/first}", "main~2"),
        ("HEAD^{/a..b|second}", "main~1"),
        ("2024-01-02 13:00 +0000", "main~1"),
        ("2024-01-02T11:00Z", "main~2"),
        ("2 weeks ago", "main"),
    ],
)
def test_one_revision(root: Path, repository: GitRepository, text: str, expected: str) -> None:
    assert [resolve_revision(repository, text)] == _ids(root, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("main..side", ("main", "side")),
        ("main...side", ("main~2", "side")),
        ("..side", ("main", "side")),
        ("v1.0..", ("main~1", "main")),
        ("side...", ("main~2", "main")),
        ("main^!", ("main~1", "main")),
        ("v1.0^-", ("main~2", "main~1")),
        ("HEAD^{/second}..HEAD", ("main~1", "main")),
        ("2024-01-01T13:00Z..HEAD", ("main~2", "main")),
    ],
)
def test_ranges(root: Path, repository: GitRepository, text: str, expected: tuple[str, str]) -> None:
    given = parse_range(text)
    assert given is not None
    assert list(resolve_range(repository, given)) == _ids(root, *expected)


@pytest.mark.parametrize("text", ["main", "..", "...", "", "../file", ":/a..b", "HEAD^{/a..b}", "v1.0", "!"])
def test_what_is_no_range(text: str) -> None:
    assert parse_range(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mian", "unknown revision 'mian'; did you mean main or origin/main?"),
        ("v1.O", "unknown revision 'v1.O'; did you mean v1.0?"),
        ("garbage", "unknown revision 'garbage'; name a branch, a tag, a commit or a date"),
        ("", "unknown revision ''; name a branch"),
        ("--help", "unknown revision '--help'; name a branch"),
        ("HEAD~7", "'HEAD~7' goes back beyond the first commit: the … of HEAD has 3 commits"),
        ("v1.0^^^", "'v1.0^^^' goes back beyond the first commit: the … of v1.0 has 2 commits"),
        ("main..side", "'main..side' is a range of revisions; name one revision"),
        ("HEAD^{tree}", "is a tree; name a branch, tag or commit"),
        ("HEAD@{77}", "unknown revision 'HEAD@{77}': log for 'HEAD' only has"),
        ("side@{upstream}", "unknown revision 'side@{upstream}': no upstream"),
        ("2001-01-01", "there is no commit before '2001-01-01'; the history begins later"),
        ("0" * 40, "this clone does not have that commit"),
    ],
)
def test_what_is_no_revision(repository: GitRepository, text: str, message: str) -> None:
    with pytest.raises(BirthmarkError) as refused:
        resolve_revision(repository, text)
    assert all(part in str(refused.value) for part in message.split(" … "))


def test_after_a_refusal_revisions_are_found_again(root: Path, repository: GitRepository) -> None:
    with pytest.raises(NotFoundError):
        resolve_revision(repository, "side@{upstream}")
    assert [resolve_revision(repository, "side")] == _ids(root, "side")


def test_forms_of_the_reference(root: Path, repository: GitRepository) -> None:
    """All forms that the page names are understood; the ids and texts in it are replaced by those of the repository."""
    page = (Path(__file__).parents[2] / "docs/reference/revisions.md").read_text("utf-8")
    id_ = run_git(root, "rev-parse", "v1.0^{commit}")[:7]
    rows = re.findall(r"^\| (`.*?) \| ", page, re.M)
    forms = [form.strip("'") for row in rows for form in re.findall(r"`([^`]+)`", row)]
    assert len(forms) > 30
    for form in forms:
        text = form.replace("3f2a9c1", id_).replace("Fix rounding", "first").replace("HEAD~3", "HEAD~2")
        text = re.sub(r"\bA\b", "v1.0", re.sub(r"\bB\b", "main", text))
        if text in _NOT_HERE:
            continue
        given = parse_range(text)
        assert resolve_revision(repository, text) if given is None else resolve_range(repository, given)


# There is no merge in it.
_NOT_HERE = {"v1.0^2"}


def test_no_common_ancestor(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": ""}])
    run_git(world.root, "checkout", "-q", "--orphan", "other")
    run_git(world.root, "commit", "-q", "--allow-empty", "-m", "apart")
    with GitRepository(world.root) as repository, pytest.raises(NotFoundError, match="have no common ancestor"):
        resolve_range(repository, RevisionRange("main", "other", from_merge_base=True))


def test_before_the_first_commit(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q")
    with GitRepository(tmp_path) as repository:
        for text in ("HEAD", "@", "HEAD~1", "yesterday"):
            with pytest.raises(NotFoundError, match="there is no commit yet; make the first one"):
                resolve_revision(repository, text)


def test_the_beginning_of_several_commits(tmp_path: Path) -> None:
    """There are 16**4 beginnings of four digits, so that one of 1,500 commits shares its own with another."""
    commits = [{"a.py": ""}] * 1500
    world = make_repository(tmp_path / "root", commits)
    beginnings = [line[:4] for line in run_git(world.root, "rev-list", "HEAD").split()]
    shared = next(digits for digits in beginnings if beginnings.count(digits) > 1)
    with GitRepository(world.root) as repository, pytest.raises(AmbiguousError, match="several commits") as refused:
        resolve_revision(repository, shared)
    assert len(refused.value.choices) == beginnings.count(shared)


def test_settings_that_name_commands_stay_outside(root: Path, tmp_path: Path) -> None:
    """Of the settings only those that say which branch tracks which are read."""
    run_git(root, "config", "core.fsmonitor", f"touch {tmp_path}/ran")
    run_git(root, "config", "remote.origin.uploadpack", f"touch {tmp_path}/ran")
    with GitRepository(root) as repository:
        resolve_revision(repository, "@{upstream}")
        settings = repository.run("config", "--list", "--name-only").decode().split("\n")
    assert not [name for name in settings if name.startswith(("core.fs", "remote.origin.up", "remote.origin.url"))]
    assert not list(tmp_path.iterdir())


@given(text=st.text(alphabet="AHED@{}^~.:/!-0 a", max_size=12))
def test_any_text_is_a_revision_or_refused_in_one_line(repository: GitRepository, text: str) -> None:
    refused = ""
    try:
        given = parse_range(text)
        found = [resolve_revision(repository, text)] if given is None else resolve_range(repository, given)
        assert all(len(id_) == 40 for id_ in found)
    except BirthmarkError as error:
        refused = str(error)
    assert "\n" not in refused
