"""The forms in which something is put into a context: its source, parts of it, or a line with its signature.

Takes entities and texts; gives Markdown in which every form ends with a line, and does not begin with a blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from birthmark.model import Entity

_FEWEST_LINES = 6  # of a part of a source
_LONGEST_SIGNATURE = 400
_LONGEST_LINE = 160
_DOC_MARKS = re.compile(
    r"^(?:/\*+!?|\*+/|\*|//[/!]?|#+|--+|[rRbBuUfF]{0,2}(?:\"\"\"|'''|\"|')|<!--)\s?|(?:\*+/|\"\"\"|'''|\"|-->)$"
)
_FENCE = re.compile(r"`{3,}")


def source_forms(entity: Entity, mark: str | None, why: str, code: str, outline: str | None = None) -> tuple[str, ...]:
    """All of it; its outline, or its first half, quarter and so on; its head."""
    lines = code.split("\n")
    shorter = [outline] if outline is not None else _first_lines(lines)
    blocks = [_block(entity, mark, why, text) for text in (code, *shorter)]
    return (*blocks, head_line(entity, mark, why, ""))


def _first_lines(lines: Sequence[str]) -> Iterator[str]:
    n_lines = len(lines) // 2
    while n_lines >= _FEWEST_LINES:
        yield "\n".join([*lines[:n_lines], f"… {len(lines) - n_lines} more lines"])
        n_lines //= 2


def outline_of(entity: Entity, members: Sequence[Entity], doc: str) -> str:
    """A container as its head, the first line of its documentation, and the heads of its members."""
    heads = [f"    {_signature(member)}  … {member.start_line}" for member in members]
    return "\n".join([_signature(entity), *([f"    {doc}"] if doc else []), *heads])


def _block(entity: Entity, mark: str | None, why: str, code: str) -> str:
    fence = "`" * max([3, *(len(found) + 1 for found in _FENCE.findall(code))])
    place = f"{entity.path}:{entity.start_line}-{entity.end_line}"
    return f"`{entity.qualified_name}` {place} {mark or ''}: {why}\n\n{fence}{entity.language}\n{code}\n{fence}\n\n"


def head_line(entity: Entity, mark: str | None, why: str, doc: str) -> str:
    said = f" {doc[:_LONGEST_LINE]}" if doc else ""
    place = f"{entity.path}:{entity.start_line}"
    return one_line(f"- `{_qualified(entity)}` {place} {mark or ''}: {why}.{said}")


def place_line(name: str, path: str, line: int, mark: str | None, why: str, code: str) -> str:
    """A place, with the line of code that is there."""
    said = f" `{code.strip()[:_LONGEST_LINE]}`" if code.strip() else ""
    where = f"{path}:{line}" if line else path
    return one_line(f"- {name} {where} {mark or ''}: {why}.{said}")


def note_forms(by: str, why: str, text: str) -> tuple[str, ...]:
    """A note with all its lines, each quoted; and its first line alone."""
    lines = text.splitlines() or [""]
    head = one_line(f"- {by}: {why}.")
    full = head + "".join(f"  > {line}".rstrip() + "\n" for line in lines)
    short = one_line(f"- {by}: {why}. {lines[0][:_LONGEST_LINE]}" + (" …" if len(lines) > 1 else ""))
    return full, short


def one_line(text: str) -> str:
    return " ".join(text.split()) + "\n"


def _signature(entity: Entity) -> str:
    return entity.declaration[:_LONGEST_SIGNATURE]


def _qualified(entity: Entity) -> str:
    return entity.qualified_declaration[:_LONGEST_SIGNATURE]


def first_sentence(documentation: str) -> str:
    """The first line of a comment or docstring that says something, without what marks it as one."""
    for line in documentation.split("\n"):
        text, before = line.strip(), ""
        while text != before:
            before, text = text, _DOC_MARKS.sub("", text).strip()
        if text:
            return text[:_LONGEST_LINE]
    return ""
