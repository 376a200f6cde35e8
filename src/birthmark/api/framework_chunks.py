"""What adapters of frameworks have in common: the chunks of a file that a framework has loaded, and what each carries.

A loader names a file by its path, relative to the current folder if it is relative. What the index does not have, as a
text in no supported language, has no chunks: adapters leave it as it is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from birthmark.api.repository import Repository
from birthmark.documents.definitions import ChunkDocument
from birthmark.errors import BirthmarkError, NotFoundError


def chunks_of_file(repository: Repository, metadata: Mapping[str, object], field: str) -> list[ChunkDocument]:
    """By the field in which a loader has its path; none if the file is not in the index."""
    path = metadata.get(field)
    if not isinstance(path, str | os.PathLike):
        raise BirthmarkError(
            f"a document has no path in its metadata: {field!r} is not there; name the field that has it"
        )
    try:
        return list(repository.chunks(os.path.abspath(path)))
    except NotFoundError:
        return []


def chunk_metadata(chunk: ChunkDocument) -> dict[str, str | int | None]:
    """Where a chunk is, and the names by which it and the entity that it is in are found again."""
    return {
        "chunk_uid": chunk.chunk_uid,
        "content_hash": chunk.content_hash,
        "mark": chunk.mark,
        "path": chunk.file,
        "kind": chunk.kind,
        "name": chunk.name,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
    }
