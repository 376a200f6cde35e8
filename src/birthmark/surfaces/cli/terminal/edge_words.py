"""Plain words for the kind and the certainty of an edge."""

from __future__ import annotations

from birthmark.vocabulary import EdgeKind, Resolution

# How sure an edge is, in words; the summary counts them in this order.
SURENESS = {
    Resolution.EXACT: "certain",
    Resolution.IMPORT: "by import",
    Resolution.HIERARCHY: "inherited",
    Resolution.DISPATCH: "by dispatch",
    Resolution.NAME: "by name",
    Resolution.EXTERNAL: "outside the repository",
    Resolution.UNRESOLVED: "not found",
}
LEGEND = {
    Resolution.NAME: "by name: only the name is known to be the same, so another definition may be meant",
    Resolution.UNRESOLVED: "not found: built in, or called through a variable of unknown type",
}
# Nouns for uses; those other than calls are labelled with them.
USE_NOUNS = {
    EdgeKind.CALLS: "call",
    EdgeKind.INHERITS: "subclass",
    EdgeKind.IMPLEMENTS: "implementation",
    EdgeKind.OVERRIDES: "override",
    EdgeKind.DECORATES: "decorator",
    EdgeKind.TYPES: "type",
    EdgeKind.WRITES: "write",
    EdgeKind.READS: "read",
    EdgeKind.EXPORTS: "export",
    EdgeKind.IMPORTS: "import",
}
NAMING = (EdgeKind.IMPORTS, EdgeKind.OVERRIDES)  # of which need not be said how they were resolved
SURE = (Resolution.EXACT, Resolution.IMPORT)  # unless it is otherwise
UNSEEN = "uses through variables of unknown type, reflection and other repositories are not seen"
UNSEEN_ANYWHERE = "uses through variables of unknown type and reflection are not seen"


def describe_use(kind: EdgeKind, resolution: Resolution) -> list[str]:
    """Return the labels of a use that is not a call, or is not certain."""
    noun = [] if kind is EdgeKind.CALLS else [USE_NOUNS[kind]]
    return noun if resolution in SURE else [*noun, SURENESS[resolution]]
