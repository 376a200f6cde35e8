"""Make workers cheap for a process that starts them repeatedly.

A worker is a copy of its parent process and inherits compiled queries and all memory, used or not. The extension
module's analysis of a query takes from ten milliseconds to seconds for each language. It depends on the query, the
grammar and the module; the index keeps it by a digest of these.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterable
from contextlib import suppress

import msgspec

from birthmark.decoding import msgpack_decoder
from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.codec import Task, encode_task
from birthmark.extraction.fork_helper import find_helper
from birthmark.extraction.native_outline import analyses
from birthmark.extraction.pool import forking, has_helper
from birthmark.extraction.read import run_task
from birthmark.model import Level
from birthmark.store.port import ExtractionStore

_warm: set[tuple[str, Level]] = set()
_NAME = "query analyses"
_MOST = 200  # analyses; with more, only those of this process are kept, so that old ones go
Analyses = dict[str, bytes]  # by digest
_analyses = msgpack_decoder(Analyses)
_requests = msgpack_decoder(tuple[list[str], Level, Analyses])


def warm_languages(
    languages: Iterable[str], level: Level, store: ExtractionStore | None = None, *, is_writable: bool = False
) -> None:
    """Compile languages for a level, once in the process that forks workers; keep the analyses in the store."""
    helper = find_helper() if has_helper() else None
    warm = _warm if helper is None else helper.warm
    with forking:
        cold = [language for language in sorted(set(languages)) if (language, level) not in warm]
        known = load_analyses(store) if cold and store is not None else {}
        if not cold:
            return
        request = msgspec.msgpack.encode((cold, level, known))
        packed = compile_languages(request) if helper is None else helper.call(compile_languages, request)
        warm.update((language, level) for language in cold)
        if store is not None and is_writable:
            keep_analyses(store, known, _analyses.decode(packed))


def compile_languages(request: bytes) -> bytes:
    """Compile languages in this process, for all workers forked from it; return all known analyses."""
    languages, level, known = _requests.decode(request)
    analyses.update(known)
    for language in languages:
        run_task(encode_task(Task(b"", language, level, ChunkSizes())))
    return msgspec.msgpack.encode(analyses)


def release_memory() -> None:
    """Return unused memory to the system: forking a process of 260 MB takes 20 ms, of 50 MB four."""
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # Only glibc has it.
        ctypes.CDLL(None).malloc_trim(0)


def load_analyses(store: ExtractionStore) -> Analyses:
    """Load the kept analyses; none if they cannot be unpacked."""
    packed = store.meta(_NAME)
    try:
        return _analyses.decode(packed) if isinstance(packed, bytes) else {}
    except msgspec.MsgspecError:
        return {}


def keep_analyses(store: ExtractionStore, known: Analyses, found: Analyses) -> None:
    """Store the analyses if there are new ones."""
    if found.keys() - known.keys():
        store.set_meta(_NAME, msgspec.msgpack.encode(found if len(known) > _MOST else known | found))
