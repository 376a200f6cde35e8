"""An entity as Markdown, by the address `birthmark://entity/<mark>`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from birthmark.documents import brief_documents as brief
from birthmark.documents.answers import ShownDocument
from birthmark.documents.brief import DATA_NOTICE
from birthmark.questions.definitions import Show
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.request_error import RequestError

ADDRESS = "birthmark://entity/"
TEMPLATE = f"{ADDRESS}{{mark}}"
_MARK = re.compile(r"bm-[0-9a-z]{1,40}")
_FENCES = re.compile(r"`{3,}")


def read_mark(address: str) -> str:
    mark = address.removeprefix(ADDRESS)
    if not address.startswith(ADDRESS) or not _MARK.fullmatch(mark):
        raise RequestError("bad_request", f"resources are {TEMPLATE}, with a mark such as bm-0123456789ab")
    return mark


def describe_entity(query: HttpQuery) -> str:
    return "\n".join(_lines(Show(ref=query.ref).answer(query.session)))


def _lines(shown: ShownDocument) -> Iterator[str]:
    yield f"# {shown.kind} {shown.qualified_name}\n"
    yield f"{shown.mark}, {shown.status}: {brief.place_of(shown.path, shown.start_line, shown.end_line)}\n"
    fresh = "" if shown.freshness.fresh else ", and files have changed since"
    yield f"From an index of {(shown.freshness.indexed_revision or 'no commit')[:12]}{fresh}.\n"
    deletion = brief.brief_deletion(shown.deletion)
    if deletion is not None:
        yield f"Deleted {deletion.date} in {deletion.commit}: {deletion.subject}\n"
    for link in brief.brief_links(shown.carried_by):
        yield f"- {link.share:.0%} of its code is in {link.place} {link.mark}"
    for note in map(brief.brief_note, shown.notes):
        yield f"- note of {note.date}{', its code has changed since' if note.stale else ''}: {note.text}"
    yield f"\n{DATA_NOTICE}\n"
    fence = max(["```", *(f"{found}`" for found in _FENCES.findall(shown.source))], key=len)
    yield f"{fence}{shown.language}\n{' ' * shown.indent}{shown.source.rstrip()}\n{fence}\n"
