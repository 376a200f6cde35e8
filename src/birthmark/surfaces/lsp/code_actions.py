"""What an editor offers at a place: the commands that fit to the definition there, and to the diagnostics."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from birthmark.app.answers.editing.definition_counts import subscriptions_to
from birthmark.app.workspace.session import Session
from birthmark.documents.wording import plain
from birthmark.errors import BirthmarkError
from birthmark.surfaces.lsp.command_target import CommandTarget
from birthmark.surfaces.lsp.lenses import SHOW_LIFE
from birthmark.surfaces.lsp.query import EditorQuery

# By the code of a diagnostic's data: the title, and the command.
_FIXES = {
    "subscription": ("Accept the change", "birthmark.accept"),
    "note": ("The note is still true", "birthmark.keepNote"),
}


def list_actions(query: EditorQuery, session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    uri = params.text_document.uri
    fixes = [action for one in params.context.diagnostics for action in _fixes(uri, one)]
    try:
        return [*fixes, *_offers(query, session, params)]
    except BirthmarkError:  # There is no definition here, or none that is indexed.
        return fixes


def _fixes(uri: str, diagnostic: types.Diagnostic) -> Iterator[types.CodeAction]:
    data = diagnostic.data if isinstance(diagnostic.data, dict) else {}
    for word, (title, command) in _FIXES.items():
        if isinstance(data.get(word), str):
            action = _action(f"{title} ({data[word]})", command, CommandTarget(uri, id=data[word]))
            action.kind, action.diagnostics = types.CodeActionKind.QuickFix, [diagnostic]
            yield action


def _offers(query: EditorQuery, session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    uri = params.text_document.uri
    subject = query.subject(session, params.range.start)
    is_subscribed = bool(subscriptions_to(session, subject))
    name, target = plain(subject.entity.qualified_name), CommandTarget(uri, mark=subject.mark)
    yield _action(f"Show the life of {name}", SHOW_LIFE, target)
    yield _action(f"Go to the former place of {name}", "birthmark.showFormerPlace", target)
    if not is_subscribed:
        yield _action(f"Subscribe to {name}", "birthmark.subscribe", target)
    if text := _selected(query, params.range):
        noted = CommandTarget(uri, mark=subject.mark, text=text)
        yield _action(f"Write the selection as a note on {name}", "birthmark.writeNote", noted)


def _selected(query: EditorQuery, chosen: types.Range) -> str:
    """An editor cannot be asked for a text, so that of a note is selected where it is."""
    content = query.contents.get(query.path, b"")
    positions = query.positions(content)
    return content[positions.offset(chosen.start) : positions.offset(chosen.end)].decode("utf-8", "replace").strip()


def _action(title: str, command: str, target: CommandTarget) -> types.CodeAction:
    return types.CodeAction(
        title, types.CodeActionKind.Empty, command=types.Command(title, command, None, [target.as_argument()])
    )
