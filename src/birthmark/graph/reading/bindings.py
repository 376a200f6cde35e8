"""What the names in a file mean, in a form that is kept with the file and evaluated on demand."""

from __future__ import annotations

import msgspec

PARAMETERS = frozenset({"parameter", "optional", "rest"})  # roles of what callers pass
MENTIONS = frozenset({"calls"})  # roles of what binds no name but is used: they are those of edges


class Binding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name, and the path of what it means; both are those of the file alone."""

    role: str
    name: str
    value: str
    owner: int  # the entity in which the name holds, or of which it is a member; -1 the file, -2 its exports
    entity: int  # the entity in which the path is to be read
    line: int
    until: int  # the last line on which it holds; 0: as long as its owner

    @property
    def is_typed(self) -> bool:
        return self.value.endswith(("{}", "{}*"))
