"""Plan and make the updates of a vector store, keyed by chunk uid, after a change.

Takes the changes of chunks (`repository.chunks(since=...)`) and gives an EmbeddingPlan. The caller makes and stores the
vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from msgspec import UNSET

from birthmark.documents.definitions import ChunkChangesDocument, ChunkDocument
from birthmark.errors import BirthmarkError
from birthmark.vocabulary import ChunkState

_EMBEDDED = (ChunkState.CHANGED, ChunkState.ADDED)
Vector = TypeVar("Vector")


class Rekeyed(NamedTuple):
    """A chunk whose text is the same, so that the vector under its former uid is still valid."""

    former_uid: str
    chunk: ChunkDocument


class EmbeddingPlan(NamedTuple):
    """The updates to make: `embed` chunks; `rekey` vectors, from a former uid to that of a chunk; `delete` uids.

    A uid can pass from one chunk to another, so the order is: read the vectors of `rekey`, delete, put those vectors
    under their new uids, embed and put the others.
    """

    embed: tuple[ChunkDocument, ...]
    rekey: tuple[Rekeyed, ...]
    delete: tuple[str, ...]


class VectorStore(Protocol[Vector]):
    """The store interface for `update_vectors`: vectors by chunk uid, with other data of the chunk if needed."""

    def read(self, uids: Sequence[str], /) -> Mapping[str, Vector]:
        """Return the vectors of those uids that the store has."""

    def delete(self, uids: Sequence[str], /) -> None:
        """Delete uids; ignore those that the store does not have."""

    def put(self, rows: Sequence[tuple[ChunkDocument, Vector]], /) -> None:
        """Store vectors under the uids of their chunks, replacing existing ones."""


def plan_embeddings(changes: ChunkChangesDocument) -> EmbeddingPlan:
    """Return the texts to embed, the vectors to keep under another uid, and the uids to delete.

    Examples:
        >>> import birthmark
        >>> with birthmark.Repository.open() as repository:
        ...     plan = plan_embeddings(repository.chunks(since="HEAD~1"))
        >>> [chunk.name or chunk.kind for chunk in plan.embed]
        ['Cart.total', 'gap', 'net']
    """
    moved = [(one.change, one.before, one.after) for one in changes.changes]
    current = {after.chunk_uid for _, _, after in moved if after is not None}
    former = [before.chunk_uid for _, before, _ in moved if before is not None]
    return EmbeddingPlan(
        tuple([after for change, _, after in moved if change in _EMBEDDED and after is not None]),
        tuple(
            [
                Rekeyed(before.chunk_uid, after)
                for change, before, after in moved
                if change is ChunkState.REKEYED and before is not None and after is not None
            ]
        ),
        tuple([uid for uid in former if uid not in current]),
    )


def update_vectors(
    plan: EmbeddingPlan, store: VectorStore[Vector], embed: Callable[[Sequence[str]], Iterable[Vector]]
) -> int:
    """Carry out a plan: call `embed` once with all texts without a vector in the store, and return their number.

    If `embed` fails, nothing is changed. Vectors that are missing in the store are made again.
    """
    known = store.read([one.former_uid for one in plan.rekey])
    kept = [(one.chunk, known[one.former_uid]) for one in plan.rekey if one.former_uid in known]
    chunks = [*plan.embed, *(one.chunk for one in plan.rekey if one.former_uid not in known)]
    texts = list(dict.fromkeys(map(text_of_chunk, chunks)))
    vectors = dict(zip(texts, embed(texts) if texts else (), strict=True))
    store.delete(plan.delete)
    store.put([*kept, *((chunk, vectors[text_of_chunk(chunk)]) for chunk in chunks)])
    return len(texts)


def text_of_chunk(chunk: ChunkDocument) -> str:
    if chunk.text is UNSET:
        raise BirthmarkError(f"{chunk.file}: its chunks were listed without their text; leave out `text=False`")
    return chunk.text
