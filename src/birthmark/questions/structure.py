"""Dependencies between modules, and hotspots."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.structure import find_modules, list_hotspots
from birthmark.app.workspace.session import Session
from birthmark.documents.whole_graph import HotspotsDocument, ModulesDocument
from birthmark.errors import BirthmarkError
from birthmark.questions.parameters import AllFiles, Folders, Since
from birthmark.questions.question import PagedQuestion


class Modules(PagedQuestion, frozen=True, kw_only=True):
    """List folders as modules from the highest layer to the lowest, with what they use and what uses them.

    A module uses modules in lower layers. Modules that use each other, directly or indirectly, are in one layer and are
    marked as a cycle. PATH is a folder; without it, all source files of the index are included.

    Examples:
      birthmark modules
      birthmark modules src/shop --depth 1
      birthmark modules src/shop/cart --files
      birthmark modules --svg modules.svg
    """

    arguments: ClassVar = ("path",)

    path: Annotated[
        str | None, Meta(description="Only this folder; all sources if left out.", extra={"completes": "path"})
    ] = None
    depth: Annotated[int, Meta(ge=1, le=100, description="Maximum depth of folders.")] | None = None
    files: Annotated[bool, Meta(description="Take each file as a module instead of each folder.")] = False
    all: AllFiles = False

    def answer(self, session: Session) -> ModulesDocument:
        if self.files and self.depth is not None:
            raise BirthmarkError("files and depth cannot be combined; depth counts levels of folders")
        found = find_modules(session, self.path, self.depth, by_file=self.files, with_all=self.all)
        return self.cut_lists(found, "modules", "uses", "cycles")


class Hotspots(PagedQuestion, frozen=True, kw_only=True):
    """List definitions that change often, are long and have many users, the highest score first.

    The score is changes * lines * (users + 1). Changes are the commits that changed the code, as `birthmark index
    --from-history` has replayed them; otherwise runs of the index that found it changed. PATH is a file or a folder.

    Examples:
      birthmark hotspots
      birthmark hotspots src/shop --since '1 year ago'
      birthmark hotspots --since v2.0 --limit 50 --json
    """

    arguments: ClassVar = ("path",)

    path: Folders = ()
    since: Since = None
    all: AllFiles = False

    def answer(self, session: Session) -> HotspotsDocument:
        found = list_hotspots(session, self.path, self.since, with_all=self.all, offset=self.offset, limit=self.limit)
        start = self.next_after(found.total)
        return replace(found, truncated=start is not None, next=start)
