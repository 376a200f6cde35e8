"""Documents in notebooks: HTML with its styles and pictures in it. Nothing is loaded, and no text is markup.

Takes a document, and gives the HTML, or None for one that is shown as any other value. `Document._repr_html_`, which
notebooks call, leads here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from textwrap import dedent

from birthmark.documents.answers import ResolvedDocument, ShownDocument
from birthmark.documents.changes import DiffDocument, HistoryDocument, PastEntityDocument
from birthmark.documents.definitions import EntityDocument
from birthmark.documents.document import Document
from birthmark.documents.listings import SearchDocument
from birthmark.documents.parts import LocationDocument
from birthmark.documents.uses import EdgesDocument
from birthmark.documents.wording import state_name
from birthmark.surfaces.formats.pictures.svg import DARK, LIGHT, STYLE, embedded, text_of, theme
from birthmark.surfaces.formats.pictures.timeline import date_of, draw_life
from birthmark.surfaces.web.highlighting import highlight
from birthmark.words import lines_of, short

_SCOPE = ".birthmark"
_MOST_ROWS = 200
_TOP = "the top level of a file"
# Colours of highlighted source, as pages have them: on a light and on a dark ground.
HIGHLIGHTS: Mapping[str, tuple[str, str]] = {
    "comment": ("#59636e", "#9198a1"),
    "string": ("#0a3069", "#a5d6ff"),
    "number": ("#0550ae", "#79c0ff"),
    "keyword": ("#a0111f", "#ff9b94"),
    "name": ("#6639ba", "#d2b3ff"),
    "decorator": ("#8a3b00", "#ffb77c"),
}
_RULES = {
    "": "background: var(--picture-ground); color: var(--picture-ink); padding: 0.5em 1em; overflow-x: auto",
    " pre": "background: var(--picture-box); color: inherit; padding: 0.5em; max-height: 40em; overflow: auto",
    " td": "color: var(--picture-ink); background: var(--picture-ground); text-align: left; padding: 0.1em 1em 0.1em 0",
    " .faint": "color: var(--picture-faint)",
    " svg.picture": "max-width: 100%; height: auto",
    **{f" .hl-{name}": f"color: var(--hl-{name})" for name in HIGHLIGHTS},
}


@singledispatch
def show_document(document: Document) -> str | None:
    return None


@show_document.register
def _(document: EntityDocument) -> str:
    return _framed(_headline(document))


@show_document.register
def _(document: ShownDocument) -> str:
    deletion = document.deletion
    gone = "" if deletion is None else _paragraph(f"deleted in {short(deletion.commit)} {deletion.subject or ''}")
    lines = highlight(dedent(" " * document.indent + document.source), document.language)
    return _framed(_headline(document), gone, f"<pre><code>{chr(10).join(lines)}</code></pre>")


@show_document.register
def _(document: HistoryDocument) -> str:
    entity = document.entity
    rows = (
        (event.date[:10], short(event.commit), event.author, ", ".join(event.changes), event.subject)
        for event in document.events
    )
    picture = embedded(draw_life(entity.qualified_name, document.events, link=None))
    return _framed(_name(entity.kind, entity.qualified_name, _place(entity)), picture, _table(rows))


@show_document.register
def _(document: ResolvedDocument) -> str:
    rows = (
        (date_of(event.at), short(event.revision), str(event.change), _location(event.after or event.before))
        for event in document.events
    )
    head = _headline(document.entity) if document.entity is not None else _paragraph(document.problem or document.ref)
    return _framed(_paragraph(document.status), head, _table(rows))


@show_document.register
def _(document: EdgesDocument) -> str:
    rows = (
        (
            edge.entity.qualified_name if edge.entity is not None else _TOP,
            f"{edge.site.path}:{edge.site.line}",
            str(edge.edge),
            str(edge.resolution),
        )
        for edge in document.results
    )
    return _framed(_headline(document.entity), _table(rows))


@show_document.register
def _(document: SearchDocument) -> str:
    rows = (
        (one.entity.qualified_name, one.entity.kind, _place(one.entity), one.entity.mark, str(one.match))
        for one in document.results
    )
    return _framed(_table(rows))


@show_document.register
def _(document: DiffDocument) -> str:
    rows = (
        (str(one.change), one.kind, _location(one.before), _location(one.after), ", ".join(one.aspects))
        for one in document.changes
    )
    return _framed(_paragraph(f"{state_name(document.base)} to {state_name(document.target)}"), _table(rows))


# Parts, each escaped


def _framed(*parts: str) -> str:
    return f'<div class="birthmark"><style>{_style()}</style>{"".join(parts)}</div>'


def _style() -> str:
    light, dark = _theme(LIGHT, 0), _theme(DARK, 1)
    rules = "".join(f"{_SCOPE}{selector} {{ {declarations}; }}\n" for selector, declarations in _RULES.items())
    return f"{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n{STYLE}{rules}"


def _theme(colours: Mapping[str, str], column: int) -> str:
    highlights = " ".join(f"--hl-{name}: {pair[column]};" for name, pair in HIGHLIGHTS.items())
    return f"{theme(_SCOPE, colours)}{_SCOPE} {{ {highlights} }}\n"


def _headline(entity: EntityDocument) -> str:
    return _name(entity.kind, entity.qualified_name, _place(entity), entity.mark)


def _name(kind: str, name: str, place: str, mark: str = "") -> str:
    shown = f"<code>{text_of(mark)}</code>" if mark else ""
    return (
        f'<p><span class="faint">{text_of(kind)}</span> <strong>{text_of(name)}</strong> '
        f'<span class="faint">{text_of(place)}</span> {shown}</p>'
    )


def _paragraph(text: str) -> str:
    return f"<p>{text_of(text)}</p>"


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    """The first rows, and how many more there are."""
    lines = [f"<tr>{''.join(f'<td>{text_of(cell)}</td>' for cell in row)}</tr>" for row in rows]
    more = _paragraph(f"and {len(lines) - _MOST_ROWS:,} more") if len(lines) > _MOST_ROWS else ""
    return f"<table>{''.join(lines[:_MOST_ROWS])}</table>{more}" if lines else ""


def _place(where: EntityDocument | PastEntityDocument | LocationDocument) -> str:
    return f"{where.path}:{lines_of(where.start_line, where.end_line)}"


def _location(location: LocationDocument | None) -> str:
    return "" if location is None else f"{location.qualified_name} {_place(location)}"
