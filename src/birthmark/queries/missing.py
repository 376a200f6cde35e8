"""Explain why a REF names nothing or too much, and suggest what was meant.

Takes the REF and what exists; gives a NotFoundError, in which each slip has its own line, or for Choices an
AmbiguousError, each line of which begins with a place that is a REF itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from birthmark.errors import AmbiguousError, NotFoundError
from birthmark.extraction.state import RepositoryState
from birthmark.identity.overloads import overload_names
from birthmark.model import Entity
from birthmark.words import did_you_mean

EMPTY = "the REF is empty; name an entity, as src/app.py::main or src/app.py:12, a mark, or a unique name"
FORMER_HINT = "if it is a former one, `birthmark index --from-history` may know it"
MOST_CHOICES = 10  # that are listed
_LONG = 100  # characters of a signature that are shown


def no_such_name(text: str, names: Iterable[tuple[str, str]], *, may_be_former: bool) -> NotFoundError:
    """Return an error with a suggestion; `names` are the simple and qualified names of all definitions."""
    word = text.rpartition("::")[2]
    known = dict.fromkeys(name for pair in names for name in (pair if "." in word else pair[:1]))
    near = suggest(word, known)
    if not near and not may_be_former:
        near = "; `birthmark entities` lists what there is"
    return NotFoundError(_with_hint(f"{text}: nothing has that name", near, may_be_former))


def no_such_name_in(path: str, name: str, title: str, entities: Iterable[Entity]) -> NotFoundError:
    known = dict.fromkeys(word for entity in entities for word in (entity.qualified_name, entity.name))
    rest = suggest(name, known) or f"; `birthmark entities {path}` lists what it has"
    return NotFoundError(f"{path}: has no {name} in {title}{rest}")


def no_such_file(path: str, title: str, paths: Collection[str], *, may_be_former: bool = False) -> NotFoundError:
    near = suggest(path, paths)
    if not near and not may_be_former:
        near = "; name a file that is, by its path"
    return NotFoundError(_with_hint(f"{path}: is not in {title}", near, may_be_former))


def no_such_mark(mark: str, marks: Iterable[str], *, may_be_former: bool) -> NotFoundError:
    near = did_you_mean(mark, marks) or "; it is mistyped, or of another repository"
    return NotFoundError(_with_hint(f"{mark}: there is no such mark", near, may_be_former))


def no_such_id(id_: str, *, may_be_former: bool) -> NotFoundError:
    return NotFoundError(_with_hint(f"{id_}: this index never had that id", "; ask for a name", may_be_former))


def no_such_lines(state: RepositoryState, path: str, first: int, last: int) -> NotFoundError:
    given = f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
    if first < 1:
        return NotFoundError(f"{given}: lines count from 1")
    if last < first:
        return NotFoundError(f"{given}: ends before it begins; name the first line, then the last")
    content = state.content(path) or b""
    n_lines = content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    if first > n_lines:
        has = "has 1 line" if n_lines == 1 else f"has {n_lines:,} lines"
        return NotFoundError(f"{path}: {has} in {title_of(state)}; there is no line {first:,}")
    return NotFoundError(f"{given}: nothing is defined there in {title_of(state)}; name lines of a definition")


def not_an_entity(state: RepositoryState, path: str) -> NotFoundError | None:
    """Return an error for a file or folder given instead of an entity; None if it is neither."""
    path = path.rstrip("/") or "."
    is_file = path != "." and state.entry(path) is not None
    inside = path if is_file else next((one for one in sorted(state.paths()) if _is_in(one, path)), None)
    if inside is None:
        return None
    file = state.file(inside)
    entity = next(iter(file.outline.entities), None) if file is not None else None
    name, line = (entity.qualified_name, entity.start_line) if entity is not None else ("name", 1)
    return NotFoundError(
        f"{path} is a {'file' if is_file else 'folder'}; name what is in it, as {inside}::{name} or {inside}:{line}, "
        f"or list it with `birthmark entities {path}`"
    )


def _is_in(path: str, folder: str) -> bool:
    return folder == "." or path.startswith(f"{folder}/")


def suggest(word: str, names: Collection[str]) -> str:
    """Return the end of a message; a name that differs only in case is certain to be meant."""
    same = [name for name in names if name.casefold() == word.casefold()]
    if same and word not in same:
        return f"; names are case-sensitive{did_you_mean(word, same)}"
    return did_you_mean(word, names)


def title_of(state: RepositoryState) -> str:
    return state.name[:12] if state.name == state.revision else state.name


def _with_hint(message: str, near: str, may_be_former: bool) -> str:
    if not may_be_former:
        return message + near
    return f"{message}{near}{' ' if near.endswith('?') else '; '}{_sentence(FORMER_HINT, near)}"


def _sentence(text: str, before: str) -> str:
    return text[0].upper() + text[1:] if before.endswith("?") else text


class Choice(NamedTuple):
    """A place (`path:line`), its mark if known, and the head of the definition or what became of it."""

    place: str
    mark: str | None
    description: str


def ambiguous(ref: str, choices: Sequence[Choice], count: int | None = None, *, were: bool = False) -> AmbiguousError:
    """Return an error that lists choices; `count` is their number, if not all are given.

    With `were`, they had the name once.
    """
    count = len(choices) if count is None else count
    name_one = "one" if any(choice.mark for choice in choices) else "one by its line"
    message = f"{ref}: {count:,} definitions {'had' if were else 'have'} that name; name {name_one}"
    return AmbiguousError(message, [*_lines(choices[:MOST_CHOICES]), *_rest(count - MOST_CHOICES)])


def describe_choice(entities: Sequence[Entity], ordinal: int) -> str:
    """Return the name of an overload, which can be asked for; else the head of the definition."""
    return overload_names(entities).get(ordinal) or entities[ordinal].qualified_declaration


def _lines(choices: Sequence[Choice]) -> list[str]:
    rows = [[choice.place, *filter(None, [choice.mark]), _cut(choice.description)] for choice in choices]
    width = max(len(choice.place) for choice in choices)
    return list(dict.fromkeys("  ".join([row[0].ljust(width), *row[1:]]).rstrip() for row in rows))


def _rest(count: int) -> list[str]:
    return [f"… and {count:,} more"] if count > 0 else []


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
