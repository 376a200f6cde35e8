"""What the extension module finds out about the query of a language, kept in the index.

To find it out takes from ten milliseconds to seconds, for every language in every process. It depends on the query, the
grammar and the module, and is kept by a digest of them.
"""

from __future__ import annotations

import msgspec

from birthmark.decoding import msgpack_decoder
from birthmark.store.port import Store

_NAME = "query analyses"
_MOST = 200  # that are kept; then all are found out again, so that those of former versions go

Analyses = dict[str, bytes]  # by digest

_analyses = msgpack_decoder(Analyses)


def load_analyses(store: Store) -> Analyses:
    """Nothing where they cannot be unpacked: then they are found out again."""
    packed = store.meta(_NAME)
    try:
        return _analyses.decode(packed) if isinstance(packed, bytes) else {}
    except msgspec.MsgspecError:
        return {}


def keep_analyses(store: Store, known: Analyses, found: Analyses) -> None:
    """Of a process that knows some already, if it has found others."""
    if found.keys() - known.keys():
        store.set_meta(_NAME, msgspec.msgpack.encode(found if len(known) > _MOST else known | found))
