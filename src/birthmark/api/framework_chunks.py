"""Common parts of the adapters for frameworks: the chunks of a loaded file, and their metadata.

A relative path is relative to the current folder. Files that are not in the index, such as those in unsupported
languages, have no chunks; adapters leave them unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from birthmark.api.repository import Repository
from birthmark.documents.definitions import ChunkDocument
from birthmark.errors import BirthmarkError, NotFoundError


def chunks_of_file(repository: Repository, metadata: Mapping[str, object], field: str) -> list[ChunkDocument]:
    """Return the chunks of the file whose path is in a field of the metadata; none if it is not in the index."""
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
    """Return the location of a chunk, and the ids and names of the chunk and its entity."""
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
