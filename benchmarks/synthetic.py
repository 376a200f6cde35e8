"""Trees and histories of any size, made of real files under new names, the same ones each time.

Takes folders of real sources; gives git repositories. A file is copied as often as needed, into a new folder each time,
and what it defines first has another name in every copy: no content is there twice. The files are drawn in an order
that no folder has, so that a small tree is a fair sample of a large one.

The history of a tree of n files has n / 10 commits. Each adds ten files, edits a function in three and renames one:
ten times the files are ten times the commits and ten times the contents, so that a cost that is not ten times as high
grows otherwise than the work does.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import IO, NamedTuple

from birthmark.extraction.state import wants_file
from birthmark.sources.discover import discover

N_ADDED, N_EDITED = 10, 3  # files of a commit
MAX_BYTES = 10_000  # of a source; a hundred thousand of them fit on a disk, and take minutes
FIRST_SECOND, SECONDS = 1_600_000_000, 3_600  # the first commit, and from each to the next
DEFINITION = re.compile(
    rb"^[ \t]*(?:(?:export|default|public|final|abstract|static|async|open|data|internal|sealed|pub) +)*"
    rb"(?:class|interface|struct|enum|trait|object|def|func|fun|fn|function|const) +([A-Za-z_]\w{3,})",
    re.MULTILINE,
)
RETURN = re.compile(
    rb"^[ \t]+return [\w.]+;?[ \t]*\r?\n", re.MULTILINE
)  # may be doubled, and the source is still sound


class Source(NamedTuple):
    """A real file: where it is, its path in a copy, and the name that is another one in every copy."""

    file: Path
    path: str
    name: bytes


class File(NamedTuple):
    """A file of a tree: the source, which copy of it, how often a line of it was doubled."""

    source: Source
    copy: int
    n_edits: int = 0

    @property
    def path(self) -> str:
        return f"part{self.copy:03}/{self.source.path}"


def find_sources(folders: Iterable[Path]) -> list[Source]:
    """Files in which something is defined, in an order by their hashed paths."""
    sources = [source for folder in folders for source in _sources_in(folder)]
    return sorted(sources, key=lambda source: hashlib.sha256(source.path.encode()).digest())


def _sources_in(folder: Path) -> Iterator[Source]:
    for found in discover(folder, wants_file, MAX_BYTES).files:
        file = folder / found.os_path
        match = DEFINITION.search(file.read_bytes())
        if match is not None:
            yield Source(file, f"{folder.name}/{found.path}", match[1])


def draw_files(sources: Sequence[Source], n_files: int) -> list[File]:
    return [File(sources[number % len(sources)], number // len(sources)) for number in range(n_files)]


def edit_function(root: Path, files: Sequence[File], n_edits: int) -> None:
    """Edit a function for the n-th time, in a file of the last commit."""
    file = next(file for file in reversed(files) if RETURN.search(content_of(file)))
    (root / file.path).write_bytes(content_of(file._replace(n_edits=n_edits)))


def content_of(file: File) -> bytes:
    content = _renamed(file.source, file.copy)
    lines = list(RETURN.finditer(content))
    if not file.n_edits:
        return content
    if not lines:
        return content + b"\n" * file.n_edits
    end = lines[len(lines) // 2].end()
    return content[:end] + lines[len(lines) // 2][0] * file.n_edits + content[end:]


def _renamed(source: Source, copy: int) -> bytes:
    content = _read(source.file)
    if not copy:
        return content
    return re.sub(rb"\b" + source.name + rb"\b", source.name + b"_%d" % copy, content)


@lru_cache(10_000)
def _read(file: Path) -> bytes:
    return file.read_bytes()


def make_repository(root: Path, files: Sequence[File]) -> None:
    """A repository with a worktree, whose last commit has these files."""
    root.mkdir(parents=True)
    _git(root, "init", "--quiet", "--initial-branch=main")
    command = ("git", "-C", str(root), "fast-import", "--quiet")
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for number, commit in enumerate(_commits(files)):
            _write_commit(process.stdin, number, commit)
    assert process.returncode == 0
    _git(root, "reset", "--quiet", "--hard", "main")


def _commits(files: Sequence[File]) -> Iterator[list[tuple[str, str, bytes]]]:
    """What each commit does: M path content, or R old path and new path."""
    random = Random(1)  # noqa: S311, the same edits each time
    present: list[File] = []
    moved: set[str] = set()
    for start in range(0, len(files), N_ADDED):
        added = list(files[start : start + N_ADDED])
        steps = [("M", file.path, content_of(file)) for file in added]
        for number in random.sample(range(len(present)), min(N_EDITED, len(present))):
            present[number] = present[number]._replace(n_edits=present[number].n_edits + 1)
            steps.append(("M", _place(present[number], moved), content_of(present[number])))
        if present:
            path = random.choice(present).path
            if path not in moved:
                moved.add(path)
                steps.append(("R", path, _moved(path).encode()))
        present += added
        yield steps


def _place(file: File, moved: set[str]) -> str:
    return _moved(file.path) if file.path in moved else file.path


def _moved(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/moved/{name}"


def _write_commit(out: IO[bytes], number: int, steps: Iterable[tuple[str, str, bytes]]) -> None:
    message = b"Commit %d" % number
    out.write(b"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\n" % (FIRST_SECOND + number * SECONDS))
    out.write(b"data %d\n%s\n" % (len(message), message))
    for step, path, text in steps:
        if step == "R":
            out.write(b'R "%s" "%s"\n' % (path.encode(), text))
        else:
            out.write(b'M 100644 inline "%s"\ndata %d\n%s\n' % (path.encode(), len(text), text))


def _git(root: Path, *arguments: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    command = ("git", "-C", str(root), *arguments)
    subprocess.run(command, check=True, env=environment)


# What is unlike any real repository


def make_huge_file(root: Path, n_functions: int) -> None:
    """One file of so many functions, a hundred bytes each, and settings by which it is not left out."""
    text = "".join(
        f'def function_{number}(first, second):\n    """Says {number:06}."""\n'
        f"    return first + function_{max(number - 1, 0)}(second, {number})\n\n\n"
        for number in range(n_functions)
    )
    _write_all(root, [("huge.py", text), ("birthmark.toml", "[limits]\nmax_bytes = 100000000\nseconds = 300\n")])


def make_flat_folder(root: Path, n_files: int) -> None:
    """So many files of a line in one folder."""
    _write_all(root, ((f"flat/file_{number:06}.py", f"value_{number} = {number}\n") for number in range(n_files)))


def make_deep_folders(root: Path, n_folders: int) -> None:
    """Folders in one another, each with a file, as far as paths go; then beside that in the same way."""
    _write_all(root, ((_deep_path(number), f"value_{number} = {number}\n") for number in range(n_folders)))


def _deep_path(number: int, depth: int = 500) -> str:
    first, below = divmod(number, depth)
    return f"chain{first}/" + "d/" * below + "file.py"


def _write_all(root: Path, files: Iterable[tuple[str, str]]) -> None:
    root.mkdir(parents=True)
    for path, text in files:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    _git(root, "init", "--quiet", "--initial-branch=main")
    _git(root, "add", ".")
    _git(root, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "All")
