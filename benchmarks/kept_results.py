"""Results that repeated runs of a benchmark share: what was extracted, and which entities were which before.

Takes a folder; gives an extractor, and the predecessors of entities, that are read from it where they are there. A
result is kept under the code that made it: all modules that this code imports, and all data of the languages. So what
was edited is computed anew, and nothing else. Several runs may share a folder.
"""

from __future__ import annotations

import ast
import pickle
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import cast

import birthmark
from birthmark.app.histories import inner_histories
from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.extraction.calls import Call
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob
from birthmark.history import local_history
from birthmark.history.lineage import EntityAtCommit, HistorySource
from birthmark.history.local_history import EntityPredecessors
from birthmark.model import Level, Problem

PACKAGE = Path(birthmark.__file__).parent
EXTRACTION, FOLLOWING = "extraction/read.py", "history/follow.py"  # modules that results depend on, with their imports
WAIT_SECONDS = 60.0


class KeptResults:
    """A file of results by key."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._rows = sqlite3.connect(folder / "results.sqlite", timeout=WAIT_SECONDS, isolation_level=None)
        for statement in ("pragma journal_mode = wal", "pragma synchronous = off"):
            self._rows.execute(statement)
        self._rows.execute("create table if not exists results (key blob primary key, result blob) without rowid")

    def get(self, key: str) -> bytes | None:
        row = self._rows.execute("select result from results where key = ?", (_digest(key),)).fetchone()
        return None if row is None else cast("bytes", row[0])

    def put(self, key: str, result: bytes) -> None:
        self._rows.execute("insert or ignore into results values (?, ?)", (_digest(key), result))


class KeptExtractor(Extractor):
    """Extracts what no run has extracted before."""

    kept: KeptResults

    def _run(
        self, blobs: Iterable[Blob], level: Level, calls: Iterable[Call] = ()
    ) -> Iterator[tuple[Blob, bytes | Problem] | None]:
        missing = []
        for blob in blobs:
            found = self.kept.get(self._key(blob, level))
            if found is None:
                missing.append(blob)
            else:
                yield blob, found
        for extracted in super()._run(missing, level, calls):
            if extracted is not None and isinstance(extracted[1], bytes):
                self.kept.put(self._key(extracted[0], level), extracted[1])
            yield extracted

    def _key(self, blob: Blob, level: Level) -> str:
        return f"{blob.content_id.hex()} {blob.language} {level} {self.version} {version_of(EXTRACTION)}"


@contextmanager
def opened(folder: Path, kept_in: Path | None = None) -> Iterator[OpenRepository]:
    """A repository, with what earlier runs kept in the cache."""
    with open_repository(folder) as repository:
        if kept_in is not None:
            keep_results(repository, KeptResults(kept_in))
        yield repository


def keep_results(repository: OpenRepository, kept: KeptResults) -> None:
    """Let a repository extract, and follow the entities around variables and blocks, with what earlier runs kept."""
    plain = repository.extractor
    extractor = KeptExtractor(plain.sizes, plain.limits, plain.n_workers, plain.store)
    extractor.kept = kept
    plain.close()
    repository.extractor = extractor
    read = _kept_predecessors(repository.workspace.root, kept)
    inner_histories.read_predecessors = read  # type: ignore[assignment,attr-defined]
    local_history.read_predecessors = read  # type: ignore[assignment]


def _kept_predecessors(
    folder: Path, kept: KeptResults
) -> Callable[[HistorySource, EntityAtCommit], EntityPredecessors]:
    def read(source: HistorySource, start: EntityAtCommit) -> EntityPredecessors:
        key = f"{folder} {start.commit} {start.path} {start.start} {version_of(EXTRACTION)} {version_of(FOLLOWING)}"
        found = kept.get(key)
        if found is not None:
            return cast("EntityPredecessors", pickle.loads(found))  # noqa: S301 (as above)
        predecessors = _read_predecessors(source, start)
        kept.put(key, pickle.dumps(predecessors))
        return predecessors

    return read


_read_predecessors = local_history.read_predecessors


@cache
def version_of(module: str) -> str:
    """Of a module, all that it imports, and the data of the languages."""
    found, waiting = set[Path](), [PACKAGE / module]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imports(path)
    data = [path for path in (PACKAGE / "languages").rglob("*") if path.suffix in {".scm", ".toml"}]
    return _digest("".join(f"{path.relative_to(PACKAGE)} {path.read_text()}" for path in sorted({*found, *data}))).hex()


def _imports(path: Path) -> list[Path]:
    names = list[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    paths = [PACKAGE.parent / name.replace(".", "/") for name in names if name.startswith("birthmark")]
    files = [path.with_suffix(".py") for path in paths]
    return [file for file in files if file.exists()]


def _digest(key: str) -> bytes:
    return sha256(key.encode()).digest()
