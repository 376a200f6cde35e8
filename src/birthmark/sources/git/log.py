"""List commits that touched a path, by git's own history simplification, and ancestors of a commit.

A merge that equals one of its parents changed nothing, and only that parent is followed; any other commit is listed
with its nearest ancestors that touched the path.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.sources.discover import write_path
from birthmark.sources.git.objects import RAW_CHANGES
from birthmark.sources.git.repository import ChangedFile, GitRepository, read_changes

# Paths start at the root of the bare git folder. With any other word, git would not use its filters of paths.
_LITERAL = b":(literal)"
_RAW_CHANGE = re.compile(rb":\d{6} 100\d{3} [0-9a-f]{40,64} ([0-9a-f]{40,64}) ")


# Commits that touched a path, the last one first, each with its nearest ancestors that did.
Touches = Mapping[str, tuple[str, ...]]


class Commit(NamedTuple):
    """A commit's author, times and subject; invalid bytes are replaced.

    `at` is the author's time; `committed_at` is the committer's, which git's `--since` and `--until` use.
    """

    id: str
    parents: tuple[str, ...]
    author: str
    email: str
    at: int
    zone: str
    subject: str
    committed_at: int
    committed_zone: str


class Link(NamedTuple):
    """A commit with its parents and author time."""

    commit: str
    parents: tuple[str, ...]
    at: int

    @property
    def first(self) -> str | None:
        return self.parents[0] if self.parents else None


def log_all(repository: GitRepository, revision: str) -> list[Link]:
    """Return a commit and all its ancestors, parents first.

    The order depends only on the commits: ancestors of the first parent come first, then those that the second adds,
    and so on. So the list for a branch begins with the list for any earlier state of that branch.
    """
    lines = repository.run("rev-list", "--format=%H %at %P", revision, "--").decode().splitlines()
    links = dict(_read_link(line) for line in lines if not line.startswith("commit "))
    return [links[commit] for commit in parents_first({link.commit: link.parents for link in links.values()}, revision)]


def _read_link(line: str) -> tuple[str, Link]:
    commit, at, *parents = line.split(" ")
    return commit, Link(commit, tuple(filter(None, parents)), int(at) if at.isdigit() else 0)


def parents_first(parents: Mapping[str, Iterable[str]], head: str) -> list[str]:
    """Sort commits topologically, each after its ancestors."""
    ordered: dict[str, None] = {}
    waiting = [head]
    while waiting:
        commit = waiting[-1]
        earlier = next((parent for parent in parents[commit] if parent not in ordered and parent in parents), None)
        if earlier is not None:
            waiting.append(earlier)
        else:
            ordered[commit] = None
            waiting.pop()
    return list(ordered)


def first_parents(repository: GitRepository, revision: str) -> list[str]:
    """Return a commit, its first parent, the first parent of that, and so on."""
    return repository.run("rev-list", "--first-parent", revision, "--").decode().split()


def changes_of(repository: GitRepository, links: Sequence[Link]) -> list[list[ChangedFile]]:
    """Return the regular files that commits changed against their first parents, with one process."""
    requests = "".join(f"{link.commit} {link.first or ''}".rstrip() + "\n" for link in links)
    output = repository.run("diff-tree", "--stdin", "--always", "--root", *RAW_CHANGES, stdin=requests.encode())
    return read_changes(output, len(links))


def log_path(
    repository: GitRepository, revision: str, path: bytes, since: str | None = None, most: int | None = None
) -> Touches:
    """Return the graph of commits that touched a path, newest first; those after `since`, and at most `most`."""
    span = [revision, *([f"^{since}"] if since else []), *([f"--max-count={most}"] if most else [])]
    output = repository.walk("rev-list", "--parents", *span, "--", _LITERAL + path)
    return {ids[0]: tuple(ids[1:]) for ids in (line.split() for line in output.decode().splitlines())}


def log_file(repository: GitRepository, revision: str, path: bytes) -> Touches:
    """Return the commits that touched a file, back to the one whose parent lacks it.

    Git is stopped there, because it would search on to the first commit of all. If no merge has changed the file, the
    commits form one line, as git lists them; else git is asked for its graph.
    """
    commits: list[str] = []
    lines = repository.walk_lines("rev-list", "--format=%H %P", revision, "--", _LITERAL + path)
    with closing(lines):
        for line in lines:
            commit, *parents = line.decode().split()
            if commit == "commit":  # Git writes a line before each.
                continue
            if len(parents) > 1:
                return log_path(repository, revision, path)
            commits.append(commit)
            if not parents or not _has_file(repository, parents[0], path):
                break
    return {commit: tuple(commits[at + 1 : at + 2]) for at, commit in enumerate(commits)}


def _has_file(repository: GitRepository, commit: str, path: bytes) -> bool:
    """Return True if a commit has a file, even if this clone lacks its object."""
    try:
        return repository.blob_at(commit, path) is not None
    except BirthmarkError:
        return True


def count_commits(repository: GitRepository, revision: str, paths: Iterable[bytes], since: int) -> Counter[str]:
    """Count the commits, without merges, that touched each path up to a revision and after a time in seconds."""
    asked = [_LITERAL + path for path in paths]
    if not asked:
        return Counter()
    options = ("--format=", "--name-only", "-z", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv")
    output = repository.run("log", *options, f"--since=@{since}", revision, "--", *asked)
    return Counter(write_path(path) for path in output.split(b"\0") if path)


def log_lines(
    repository: GitRepository,
    revision: str,
    path: bytes,
    lines: tuple[int, int],
    since: str | None = None,
    most: int = 1,
) -> list[str]:
    """Return commits, without merges, that touched lines of a file numbered as at a revision; newest first."""
    span = [revision, *([f"^{since}"] if since else [])]
    options = ("--no-patch", "--format=%H", f"--max-count={most}", "--no-merges", "--no-ext-diff", "--no-textconv")
    ranges = b"-L%d,%d:%b" % (*lines, path)
    _fetch_versions(repository, path, revision)
    return repository.run("log", *options, ranges, *span).decode().split()


def log_newest(repository: GitRepository, revision: str, most: int) -> list[str]:
    """Return a commit and the newest of its ancestors."""
    return repository.run("rev-list", f"--max-count={most}", revision, "--").decode().split()


def read_message(repository: GitRepository, commit: str) -> str:
    """Return the message below the subject; invalid bytes are replaced."""
    head, _, message = repository.read(commit).partition(b"\n\n")
    encoding = next((line[9:] for line in head.split(b"\n") if line.startswith(b"encoding ")), b"utf-8")
    return _decode(message.lstrip().partition(b"\n\n")[2], encoding).strip()


def read_commit(repository: GitRepository, commit: str) -> Commit:
    head, _, message = repository.read(commit).partition(b"\n\n")
    lines = [line.partition(b" ")[::2] for line in head.split(b"\n")]
    parents = tuple(value.decode() for key, value in lines if key == b"parent")
    author, committer, encoding = (
        next((value for key, value in lines if key == wanted), default)
        for wanted, default in ((b"author", b""), (b"committer", b""), (b"encoding", b"utf-8"))
    )
    person, _, when = author.rpartition(b"> ")
    name, _, email = person.partition(b" <")
    texts = [_decode(text, encoding) for text in (name, email, _subject(message))]
    return Commit(
        commit, parents, texts[0], texts[1], *_read_time(when), texts[2], *_read_time(committer.rpartition(b"> ")[2])
    )


def _subject(message: bytes) -> bytes:
    """Return the first paragraph in one line, as git does."""
    paragraph = message.lstrip().partition(b"\n\n")[0]
    return b" ".join(line.strip() for line in paragraph.splitlines())


def _read_time(text: bytes) -> tuple[int, str]:
    seconds, _, zone = text.partition(b" ")
    return int(seconds) if seconds.lstrip(b"-").isdigit() else 0, zone.decode("ascii", "replace") or "+0000"


def _decode(text: bytes, encoding: bytes) -> str:
    try:
        return text.decode(encoding.decode("ascii", "replace"), "strict")
    except (LookupError, UnicodeDecodeError):
        return text.decode("utf-8", "replace")


def not_reachable(repository: GitRepository, commits: Iterable[str], revision: str) -> set[str]:
    """Return the commits that are not in the history of a revision."""
    wanted = set(commits)
    requests = "".join(f"{commit}\n" for commit in [*wanted, f"^{revision}"])
    return wanted & set(repository.run("rev-list", "--stdin", stdin=requests.encode()).decode().split())


def reachable_commits(repository: GitRepository, ids: Iterable[str]) -> set[str]:
    """Return all commits that are reachable from some objects, ignoring objects that the clone lacks."""
    requests = "".join(f"{id_}\n" for id_ in ids)
    return set(repository.run("rev-list", "--ignore-missing", "--stdin", stdin=requests.encode()).decode().split())


def by_author(repository: GitRepository, commits: Iterable[str], pattern: str) -> set[str]:
    """Return the commits whose author and e-mail match an extended regular expression, or contain the text."""
    requests = "".join(f"{commit}\n" for commit in commits).encode()
    if not requests:
        return set()
    options = ("--no-walk", "--stdin", "--regexp-ignore-case", f"--author={pattern}")
    try:
        output = repository.run("rev-list", "--extended-regexp", *options, stdin=requests)
    except BirthmarkError:
        output = repository.run("rev-list", "--fixed-strings", *options, stdin=requests)
    return set(output.decode().split())


def commits_touching(repository: GitRepository, revision: str, path: bytes, max_count: int, *options: str) -> list[str]:
    """Return the newest commits that touched a path, on all sides of merges."""
    common = ("--format=%H", "--full-history", f"--max-count={max_count}", "-m", "--no-ext-diff", "--no-textconv")
    if options:
        _fetch_versions(repository, path, revision)
    output = repository.run("log", *common, *options, "--no-patch", revision, "--", _LITERAL + path)
    return list(dict.fromkeys(output.decode().split()))


def commits_with_other_words(
    repository: GitRepository, revision: str, path: bytes, words: Sequence[str], max_count: int
) -> list[str]:
    """Return the commits that changed the number of occurrences of some words in a file."""
    pattern = "|".join(re.sub(r"([^\w])", r"\\\1", word) for word in words)
    return commits_touching(repository, revision, path, max_count, "--pickaxe-regex", f"-S{pattern}")


def commits_with_word(
    repository: GitRepository, revision: str, path: bytes, word: str | None, max_count: int, seconds: float
) -> Generator[str, None, None]:
    """Yield the commits that touched a file, newest first, as git finds them.

    With a word, only those that changed a line with it; sides of merges that came to nothing are left out. Git is
    stopped after some seconds.
    """
    common = ("--format=%H", "--no-patch", f"--max-count={max_count}", "--no-ext-diff", "--no-textconv")
    pickaxe = [f"-G{word}"] if word is not None else []
    if pickaxe:
        _fetch_versions(repository, path, revision)
    lines = repository.walk_lines("log", *common, *pickaxe, revision, "--", _LITERAL + path, seconds=seconds)
    with closing(lines):
        for line in lines:
            yield line.decode().strip()


def paths_with_lines(repository: GitRepository, commit: str, lines: Sequence[bytes], seconds: float) -> list[str]:
    """Return the text files of a commit that contain each of some texts, as far as git finds them in some seconds."""
    options = ("-l", "-z", "-I", "-F", "--full-name", "--all-match")
    wanted = [part for line in lines for part in (b"-e", line)]
    _fetch_files(repository, commit)
    with closing(
        repository.walk_lines("grep", *options, *wanted, commit, "--", seconds=seconds, failures=(1,))
    ) as found:
        return _read_paths(b"".join(found))


def paths_with_word(repository: GitRepository, commit: str, word: str) -> list[str]:
    """Return the text files of a commit that contain a word."""
    options = ("-l", "-z", "-I", "-w", "-F", "--full-name", "-e", word)
    _fetch_files(repository, commit)
    output = repository.run("grep", *options, commit, "--", failures=(1,))
    return _read_paths(output)


def _fetch_versions(repository: GitRepository, path: bytes, revision: str) -> None:
    """Fetch the contents that a path had, as far as a partial clone lacks them and the user allows it."""
    if repository.can_fetch:
        options = ("--format=", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv")
        output = repository.run("log", *options, revision, "--", _LITERAL + path)
        repository.fetch_missing(id_.decode() for id_ in _RAW_CHANGE.findall(output))


def _fetch_files(repository: GitRepository, commit: str) -> None:
    """Fetch the contents of all files of a commit, as far as a partial clone lacks them and the user allows it."""
    if repository.can_fetch:
        repository.fetch_missing(entry.blob for entry in repository.tree(commit).values())


def _read_paths(output: bytes) -> list[str]:
    return [write_path(record.partition(b":")[2]) for record in output.split(b"\0")[:-1]]
