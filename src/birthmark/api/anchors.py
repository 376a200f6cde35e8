"""Anchors, for tools that store them: make one, and find what became of what it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from birthmark.api.methods import AnyPath
from birthmark.api.repository import Repository
from birthmark.documents.anchors import MadeAnchorDocument
from birthmark.documents.answers import ResolvedDocument


def anchor(ref: str, *, root: AnyPath = ".", at: str | None = None) -> MadeAnchorDocument:
    """Return the anchor of what a REF names; `line` of the answer is its form as one line of text.

    `root` is any folder of the repository. No index is needed for a REF with a path.

    Examples:
        >>> anchor("shop.py::Cart.total").anchor.name
        'Cart.total'
    """
    with Repository.open(root) as repository:
        return repository.anchors([ref], at=at).results[0]


def resolve_anchor(
    stored: str | msgspec.Struct | Mapping[str, Any], *, root: AnyPath = ".", at: str | None = None
) -> ResolvedDocument:
    """Return what became of what an anchor names; `anchor` of the answer has the verdict, and the anchor to store.

    The anchor is given in either of its forms: as a line or JSON, as the parsed JSON, or as the `anchor` of an answer.

    Examples:
        >>> found = resolve_anchor(anchor("shop.py::Cart.total").line)
        >>> found.anchor.verdict, found.anchor.place.path
        (<AnchorVerdict.UNCHANGED: 'unchanged'>, 'shop.py')
    """
    text = stored if isinstance(stored, str) else msgspec.json.encode(stored).decode()
    with Repository.open(root) as repository:
        return repository.resolve(text, at=at)
