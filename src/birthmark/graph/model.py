"""The values of evaluation: what a path means, and where it is read."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from birthmark.graph.modules import Module
from birthmark.graph.symbols import Definition, FileNames
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import Resolution


class Sort(Enum):
    """What a value is."""

    DEFINITION = "definition"  # what is defined there: a function, a type, a variable
    INSTANCE = "instance"  # of the types
    SUPER = "super"  # the type, of which the bases are meant
    MODULE = "module"
    COLLECTION = "collection"  # of what `element` means
    POINTER = "pointer"  # an object that is used like `element`
    EXTERNAL = "external"


class Value(NamedTuple):
    """Several targets are alternatives."""

    sort: Sort
    resolution: Resolution
    targets: tuple[Definition, ...] = ()
    module: Module | None = None
    element: Value | None = None
    is_claimed: bool = True  # False: it is what is called in the end, but other names are written there


OUTSIDE = Value(Sort.EXTERNAL, Resolution.EXTERNAL)


class Site(NamedTuple):
    """A place in a file: the definition around it, and the line; 0 for a place that is reached later."""

    path: str
    rules: ResolutionRules
    names: FileNames
    source: Definition | None
    line: int
