"""What the entities of a file mention by name: the near ends of edges, as they are kept with the file."""

from __future__ import annotations

import msgspec

GIVES_NAME = frozenset({"binds", "passes"})  # edges that give another name to what is meant, and are no uses of it


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The near end of an edge: what an entity, or the file itself, mentions by name."""

    edge: str  # calls | imports | inherits | implements | binds | passes
    name: str  # the last part: `join` of `os.path.join`; of an import "*" for all names, "" for the module as a whole
    receiver: str | None  # what is before it: `self`, `os.path`, `()` for an expression; of an import the module
    alias: str | None  # what an import is called here, where that is not its own name
    entity: int  # the entity that contains it, -1 for the top level of the file
    line: int
    n_arguments: int = -1  # of a call, where that distinguishes functions of one name
