"""Rewrite the anchors of documents whose targets have moved.

Takes a ScanReport of the worktree; gives it with what was rewritten, and why other anchors were not. Line ends and
encoding of a document stay as they are, and so does all of it but the REFs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from birthmark.app.workspace.file_writing import replace_file
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import os_path
from birthmark.subscriptions.doc_anchors import find_anchors, replace_refs
from birthmark.subscriptions.model import DocLink, ScanReport

_CHANGED = "the document was changed meanwhile"
_LINK = "the document is a link to another file"


def fix_documents(workspace: Workspace, report: ScanReport) -> ScanReport:
    """Write the replacements of anchors that have moved; a document is written wholly or not at all."""
    paths = dict.fromkeys(link.path for link in report.docs if link.replacement)
    fixed = {path: _fix(workspace.root / os.fsdecode(os_path(path)), path, report.docs) for path in paths}
    links = [fixed.get(link.path, {}).get((link.line, link.ref), link) for link in report.docs]
    return replace(report, docs=tuple(links))


def _fix(file: Path, path: str, links: Iterable[DocLink]) -> dict[tuple[int, str], DocLink]:
    """The links of one document that were to be replaced, by their lines and REFs."""
    mine = {(link.line, link.ref): link for link in links if link.path == path and link.replacement}
    if file.is_symlink():
        return {key: replace(link, kept_because=_LINK) for key, link in mine.items()}
    try:
        text = file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; nothing was changed in it") from error
    found = [anchor for anchor in find_anchors(text) if (anchor.line, anchor.ref) in mine]
    known = {(anchor.line, anchor.ref) for anchor in found}
    replacements = [(anchor, mine[anchor.line, anchor.ref].replacement or "") for anchor in found]
    if replacements:
        replace_file(file, replace_refs(text, replacements).encode("utf-8", "surrogateescape"))
    return {
        key: replace(link, fixed=True) if key in known else replace(link, kept_because=_CHANGED)
        for key, link in mine.items()
    }
