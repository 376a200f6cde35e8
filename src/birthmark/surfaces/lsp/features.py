"""The features of the server, in one table: what an editor asks, of which document, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lsprotocol import types

from birthmark.app.workspace.session import Session
from birthmark.surfaces.lsp.code_actions import list_actions
from birthmark.surfaces.lsp.hovers import hover
from birthmark.surfaces.lsp.lenses import list_lenses, resolve_lens
from birthmark.surfaces.lsp.navigation import find_definitions, find_references, list_symbols, search_symbols
from birthmark.surfaces.lsp.query import EditorQuery


def _of_document(params: Any) -> str | None:
    return str(params.text_document.uri)


def _of_data(lens: types.CodeLens) -> str | None:
    uri = lens.data.get("uri") if isinstance(lens.data, dict) else None
    return uri if isinstance(uri, str) else None


class Feature(NamedTuple):
    """`nothing` is the answer where there is none: the document is in no repository, or there is no index."""

    method: str
    answer: Callable[[EditorQuery, Session, Any], Any]
    uri_of: Callable[[Any], str | None] = _of_document
    nothing: Callable[[Any], Any] = lambda params: None
    options: Any = None
    needs_index: bool = True


FEATURES = (
    Feature(types.TEXT_DOCUMENT_CODE_LENS, list_lenses, options=types.CodeLensOptions(resolve_provider=True)),
    Feature(types.CODE_LENS_RESOLVE, resolve_lens, _of_data, lambda lens: lens),
    Feature(types.TEXT_DOCUMENT_HOVER, hover),
    Feature(types.TEXT_DOCUMENT_DEFINITION, find_definitions),
    Feature(types.TEXT_DOCUMENT_REFERENCES, find_references),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, list_symbols, needs_index=False),
    Feature(types.TEXT_DOCUMENT_CODE_ACTION, list_actions),
)

# Asked of each repository that is open; the answers are put together.
WORKSPACE_FEATURES = (Feature(types.WORKSPACE_SYMBOL, search_symbols),)
