"""What the name at a place in an editor means, and where a definition is used, in the lines that the editor has.

References are resolved in the index. In a file that is edited, a reference is looked up at the place that it has
relative to the definition around it, which is where that was indexed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from birthmark.app.answers.editing.editor_files import EditorFile, EditorFiles
from birthmark.app.answers.uses.neighbours import find_users
from birthmark.app.workspace.session import Session
from birthmark.graph.reading.references import Reference
from birthmark.graph.resolve import ResolvedReference
from birthmark.graph.symbols import Definition
from birthmark.syntax.lines import Lines

_MOST_LINES = 20  # between the start of an expression and a name in it
_BEFORE, _AFTER = re.compile(rb"[\w$\x80-\xff]*$"), re.compile(rb"[\w$\x80-\xff]*")
_MEMBER = re.compile(rb"(\.|->|::)\s*$")


class WordInBuffer(NamedTuple):
    """A name in a source; `is_member` where something is before it, as in `a.b`."""

    text: str
    start: int
    is_member: bool


class UseSite(NamedTuple):
    """A use of a definition: the file, the line at which the expression starts, and how it names the definition."""

    file: EditorFile
    line: int
    names: tuple[str, ...]


def word_at(content: bytes, offset: int) -> WordInBuffer:
    line = content.rfind(b"\n", 0, offset) + 1
    before, after = _BEFORE.search(content[line:offset]), _AFTER.match(content, offset)
    assert before is not None, "each may be empty"
    assert after is not None, "each may be empty"
    text = (before[0] + after[0]).decode("utf-8", "replace")
    start = offset - len(before[0])
    return WordInBuffer(text, start, _MEMBER.search(content[line:start]) is not None)


def find_targets(session: Session, file: EditorFile, offset: int) -> list[int]:
    """The identities of what the name at a byte means: a definition of its own, or what a reference leads to."""
    named = file.named_at(offset)
    if named is not None:
        identity = file.identities[named]
        return [] if identity is None else [identity]
    word = word_at(file.content, offset)
    reference = _reference_at(file, word) if word.text else None
    if reference is None:
        return []
    resolved = _resolve(session, file, reference)
    return list(dict.fromkeys(one.identity for one in (*resolved.declaration, *resolved.claimed)))


def _reference_at(file: EditorFile, word: WordInBuffer) -> Reference | None:
    """The last one of that name that starts at or before it; else the import that gives the name."""
    line = Lines(file.content).of(word.start)
    named = [one for one in file.outline.references if word.text in (one.name.rstrip("!="), one.alias)]
    here = [one for one in named if line - _MOST_LINES < one.line <= line and _is_inside(file, one, word.start)]
    if here:
        return max(here, key=lambda one: (one.line, one.edge == "calls"))
    imports = [one for one in named if one.edge == "imports"]
    return imports[0] if imports and not word.is_member else None


def _is_inside(file: EditorFile, reference: Reference, offset: int) -> bool:
    """Whether the definition that has the reference is around a byte."""
    if reference.entity < 0:
        return True
    entity = file.entities[reference.entity]
    return entity.start_byte <= offset <= entity.end_byte


def _resolve(session: Session, file: EditorFile, reference: Reference) -> ResolvedReference:
    identity = file.identities[reference.entity] if reference.entity >= 0 else None
    source = session.graph.definitions([identity]).get(identity) if identity is not None else None
    shift = source.start_line - file.entities[reference.entity].start_line if source is not None else 0
    moved = msgspec.structs.replace(reference, line=reference.line + shift)
    return session.resolver.resolve(file.path, file.outline.language, source, moved)


def find_use_sites(session: Session, files: EditorFiles, mark: str) -> Iterator[UseSite]:
    """All uses of what has a mark, the sure ones first."""
    found = find_users(session, mark)
    for edge in found.edges:
        file = files.get(edge.source_path)
        if file is not None:
            line = edge.line + _shift(file, edge.source)
            yield UseSite(file, line, _names(edge.name, found.indexed.entity.name))


def _shift(file: EditorFile, source: Definition | None) -> int:
    """How many lines a definition is below where it was indexed."""
    ordinal = file.ordinal_of(source.identity) if source is not None else None
    return file.entities[ordinal].start_line - source.start_line if ordinal is not None and source is not None else 0


def _names(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.rpartition(".")[2].rstrip("!=") for name in names if name))
