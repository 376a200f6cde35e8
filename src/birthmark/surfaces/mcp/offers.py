"""Prompts and resources, beside the tools: questions that a user can choose, and entities by an address.

A resource is an entity as Markdown, by the address `birthmark://entity/<mark>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from birthmark.app.workspace.session import Session
from birthmark.documents.answers import ShownDocument
from birthmark.documents.brief import day, in_a_line, place_of, short_commit
from birthmark.questions.definitions import Show
from birthmark.surfaces.mcp.tools import DATA_NOTICE
from birthmark.surfaces.request_error import RequestError

_LONGEST = 500
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class PromptSpec(NamedTuple):
    """A question with one gap."""

    name: str
    title: str
    argument: str
    meaning: str
    text: str

    def fill(self, arguments: Mapping[str, str]) -> str:
        value = arguments.get(self.argument, "")
        if not value or len(value) > _LONGEST or _CONTROL.search(value):
            raise RequestError("bad_request", f"{self.argument}: is missing or cannot be one; {self.meaning}")
        return self.text.format(value)


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        PromptSpec(
            "explain_life",
            "Explain the life of a definition",
            "ref",
            "a mark, a name or a place: what to explain",
            "Explain the life of `{0}` in this repository. Use `resolve` to find what it is now, `history` to see what "
            "each commit did to it, with `patch` where a commit's subject does not say why, and `notes` for what was "
            "written down. Answer with when and as what it began, its former names and places, the commits that "
            "changed what it does and why, and its mark. Say what the commits do not show.",
        ),
        PromptSpec(
            "change_effects",
            "What does this change affect?",
            "change",
            "BASE..TARGET, or a revision to compare the worktree with",
            "Say what the change `{0}` affects. Use `diff` with it as `base` to list the definitions that changed; for "
            "each whose interface or body changed use `graph` with the question `impact`, then `tests`; look for "
            "`notes` on them and for `subscriptions`. Answer with what may break and why, nearest first, which tests "
            "to run, and which users were found by name alone and need a look. Name things by place and mark.",
        ),
    )
}

ADDRESS = "birthmark://entity/"
TEMPLATE = f"{ADDRESS}{{mark}}"
_MARK = re.compile(r"bm-[0-9a-z]{1,40}")
_FENCES = re.compile(r"`{3,}")


def read_mark(address: str) -> str:
    mark = address.removeprefix(ADDRESS)
    if not address.startswith(ADDRESS) or not _MARK.fullmatch(mark):
        raise RequestError("bad_request", f"resources are {TEMPLATE}, with a mark such as bm-0123456789ab")
    return mark


def describe_entity(session: Session, mark: str) -> str:
    return "\n".join(_lines(Show(ref=mark).answer(session)))


def _lines(shown: ShownDocument) -> Iterator[str]:
    yield f"# {shown.kind} {shown.qualified_name}\n"
    yield f"{shown.mark}, {shown.status}: {place_of(shown)}\n"
    fresh = "" if shown.freshness.fresh else ", and files have changed since"
    yield f"From an index of {(shown.freshness.indexed_revision or 'no commit')[:12]}{fresh}.\n"
    deletion = shown.deletion
    if deletion is not None:
        yield f"Deleted {day(deletion.date)} in {short_commit(deletion.commit) or ''}: {in_a_line(deletion.subject)}\n"
    for link in shown.carried_by:
        yield f"- {link.source_share:.0%} of its code is in {link.place.in_brief()} {link.mark or ''}"
    for note in shown.notes:
        yield f"- note of {day(note.updated_at)}{', its code has changed since' if note.stale else ''}: {note.text}"
    yield f"\n{DATA_NOTICE}\n"
    fence = max(["```", *(f"{found}`" for found in _FENCES.findall(shown.source))], key=len)
    yield f"{fence}{shown.language}\n{' ' * shown.indent}{shown.source.rstrip()}\n{fence}\n"
