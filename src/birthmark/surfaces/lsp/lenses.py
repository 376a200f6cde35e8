"""A line over each definition: "born 2019 · 14 changes · 6 users · 2 watchers".

Where the lines are is answered at once. What they say is looked up for those that an editor shows, one at a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from lsprotocol import types

from birthmark.app.answers.editing.definition_counts import DefinitionCounts, count_definition
from birthmark.app.answers.editing.editor_files import find_marked, marks_of
from birthmark.app.workspace.session import Session
from birthmark.surfaces.lsp.command_target import CommandTarget
from birthmark.surfaces.lsp.query import EditorQuery, name_span
from birthmark.words import count

SHOW_LIFE = "birthmark.showLife"


def list_lenses(query: EditorQuery, session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    file = query.files(session).get(query.path)
    if file is None:
        return []
    marks, positions = marks_of(session, file.identities), query.positions(file.content)
    return [
        types.CodeLens(
            positions.range(name_span(entity)), data={"uri": params.text_document.uri, "mark": marks[identity]}
        )
        for entity, identity in zip(file.entities, file.identities, strict=True)
        if identity is not None and (not query.kinds or entity.kind in query.kinds)
    ]


def resolve_lens(query: EditorQuery, session: Session, lens: types.CodeLens) -> types.CodeLens:
    target = CommandTarget.read(lens.data)
    found = find_marked(session, target.mark or "")
    title = "not in the index any more" if found is None else write_counts(count_definition(session, found))
    command = types.Command(title, SHOW_LIFE, arguments=[target.as_argument()])
    return types.CodeLens(lens.range, command, lens.data)


def write_counts(counts: DefinitionCounts) -> str:
    return " · ".join(_parts(counts)) or "in the index"


def _parts(counts: DefinitionCounts) -> Iterator[str]:
    """What is not known is left out: users before edges are resolved, a birth where no history was replayed."""
    if counts.born_at is not None:
        yield f"born {time.gmtime(counts.born_at).tm_year}"
        yield count(counts.n_changes, "change")
    elif counts.n_changes:
        yield f"{count(counts.n_changes, 'change')} since indexed"
    if counts.n_users is not None:
        yield count(counts.n_users, "user")
    if counts.n_subscriptions:
        yield count(counts.n_subscriptions, "watcher")
    if counts.n_notes:
        stale = f" ({counts.n_stale_notes:,} stale)" if counts.n_stale_notes else ""
        yield count(counts.n_notes, "note") + stale
