"""What a store that keeps vectors by chunk uid has to do after a change.

Takes what became of chunks (`repository.chunks(since=...)`), and gives an EmbeddingPlan. It is pure: how vectors are
made and stored is the caller's own.
"""

from __future__ import annotations

from typing import NamedTuple

from birthmark.surfaces.wire.definitions import ChunkChangesDocument, ChunkDocument
from birthmark.vocabulary import ChunkState

_EMBEDDED = (ChunkState.CHANGED, ChunkState.ADDED)


class Rekeyed(NamedTuple):
    """A chunk whose text is the same, so that the vector under its former uid is still valid."""

    former_uid: str
    chunk: ChunkDocument


class EmbeddingPlan(NamedTuple):
    """What to do: `embed` chunks; `rekey` vectors, from a former uid to that of a chunk; `delete` uids.

    A uid can pass from one chunk to another, so the order is: read the vectors of `rekey`, delete, put those vectors
    under their new uids, embed and put the others.
    """

    embed: tuple[ChunkDocument, ...]
    rekey: tuple[Rekeyed, ...]
    delete: tuple[str, ...]


def plan_embeddings(changes: ChunkChangesDocument) -> EmbeddingPlan:
    """Texts to embed, vectors to keep under another uid, and uids to delete; what was kept needs nothing.

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
