"""How modules depend on each other, and what changes often."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.uses.hotspots import HotspotsQuery, list_hotspots
from birthmark.app.answers.uses.modules import ModulesQuery, find_modules
from birthmark.app.workspace.session import Session
from birthmark.documents.whole_graph import HotspotsDocument, ModulesDocument, hotspots_document, modules_document
from birthmark.questions.parameters import AllFiles, Paths, Since
from birthmark.questions.question import PagedQuestion


class Modules(PagedQuestion, frozen=True, kw_only=True):
    """List modules, what they use of each other, their layers and cycles."""

    path: Annotated[str | None, Meta(description="Only this folder; all sources if left out.")] = None
    depth: Annotated[int, Meta(ge=1, le=100, description="Maximum depth of folders.")] | None = None
    files: Annotated[bool, Meta(description="Take each file as a module instead of each folder.")] = False
    all: AllFiles = False

    def answer(self, session: Session) -> ModulesDocument:
        found = find_modules(session, ModulesQuery(self.path, self.depth, self.files, self.all))
        return self.cut_lists(modules_document(found, session.freshness), "modules", "uses", "cycles")


class Hotspots(PagedQuestion, frozen=True, kw_only=True):
    """List the definitions that change often and are used much."""

    path: Paths = ()
    since: Since = None
    all: AllFiles = False

    def answer(self, session: Session) -> HotspotsDocument:
        asked = HotspotsQuery(self.path, self.since, self.all)
        found = list_hotspots(session, asked, self.offset, self.limit)
        start = self.next_after(found.n_found)
        return replace(hotspots_document(found, session.freshness), truncated=start is not None, next=start)
