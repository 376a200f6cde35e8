"""Make docs and code searchable: the texts that the index has, and that were not searched yet.

That is done when something is searched for, not when files are indexed: a first index would take a tenth longer, and
most texts that were changed are changed again before anyone looks for them. Where the index is not to be written, or
cannot be, the texts that are missing are read instead, which is slower and finds the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from birthmark.app.workspace.freshness import WAIT_SECONDS, Progress
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from birthmark.extraction.codec import unpack_source
from birthmark.store.port import Store


def make_searchable(session: Session) -> int:
    """Return how many texts were added. Nothing is written unless the session prepares the next answers."""
    missing = session.store.unsearched_texts(session.view.number) if session.prepares else ()
    if not missing:
        return 0
    try:
        with writing(session.workspace, WAIT_SECONDS) as store, session.show_progress() as progress:
            write_texts(store, missing, progress)
    except BirthmarkError:
        return 0
    return len(missing)


def write_texts(store: Store, missing: Collection[int], progress: Progress) -> None:
    """For a holder of the lock."""
    with store.writing():
        store.put_texts(_texts(store, sorted(missing), progress))


def _texts(store: Store, extractions: list[int], progress: Progress) -> Iterator[tuple[int, str]]:
    for number, extraction in enumerate(extractions):
        progress("making docs and code searchable", number, len(extractions))
        packed = store.source(extraction)
        yield extraction, "" if packed is None else unpack_source(packed).decode("utf-8", "replace")
