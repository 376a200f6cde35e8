"""References and Bindings: the names that a file mentions and binds, in the form that is kept with the file."""

from __future__ import annotations

import msgspec

GIVES_NAME = frozenset({"binds", "passes"})  # edges that give another name to what is meant, and are no uses of it
PARAMETERS = frozenset({"parameter", "optional", "rest"})  # roles of what callers pass
DECLARED_RESULT = ":"  # the name of a result that is declared, where others are returned
CALLED = "()"  # the name of a call of what an expression gives: `f()()`, `table[key]()`
NOT_WRITTEN = -2  # the number of arguments of a call that is not written, such as that of `__iter__` in a loop
MENTIONS = frozenset({"calls"})  # roles of what binds no name but is used: they are those of edges


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The near end of an edge: what an entity, or the file itself, mentions by name."""

    edge: str  # calls | imports | inherits | implements | binds | passes
    name: str  # the last part: `join` of `os.path.join`; of an import "*" for all names, "" for the module as a whole
    receiver: str | None  # what is before it: `self`, `os.path`, `()` for an expression; of an import the module
    alias: str | None  # what an import is called here, where that is not its own name
    entity: int  # the entity that contains it, -1 for the top level of the file
    line: int
    n_arguments: int = -1  # of a call, where that distinguishes functions of one name; or NOT_WRITTEN

    @property
    def is_written(self) -> bool:
        """Return True if the name is in the source: other calls are edges only if they lead somewhere."""
        return self.name != CALLED and self.n_arguments != NOT_WRITTEN


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
