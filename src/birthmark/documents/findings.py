"""Documents of findings: the results of other tools, matched with those of an earlier run."""

from __future__ import annotations

from typing import Annotated, Any

from birthmark.documents.document import Document, doc
from birthmark.vocabulary import FindingState


class FindingDocument(Document, frozen=True):
    """A result of a tool."""

    rule: str
    message: str
    path: Annotated[str, doc("empty if it is outside the repository")]
    start_line: int
    end_line: int
    definition: Annotated[str | None, doc("the qualified name of the definition around it")]
    state: FindingState


class FindingsDocument(Document, frozen=True):
    """The results of a tool, with those that are new."""

    found: Annotated[int, doc("results of the run")]
    counts: Annotated[dict[str, int], doc("by state; empty without an earlier run")]
    new: list[FindingDocument]
    absent: Annotated[list[FindingDocument], doc("of the earlier run, and no longer there")]
    outside: Annotated[int, doc("results about nothing that is in the repository")]
    sarif: Annotated[dict[str, Any], doc("the log with fingerprints, anchors and states")]
    adrift: Annotated[int, doc("results of the earlier run without an anchor, matched by file, line and message")] = 0
