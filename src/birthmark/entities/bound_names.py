"""Read the meanings that a source gives to names: parameters, assignments, results, exports.

Takes the `@bind` and `@mention` items of a sweep and the frames around each; returns BoundNames.
`docs/how-to/add-a-language.md` lists the captures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from birthmark.entities.frames import LAMBDA, WRAP, Frame
from birthmark.entities.names import NameReader, decode
from birthmark.model import CLASS_LIKE, EXPORTS, FUNCTION_LIKE, BoundName, Span
from birthmark.syntax.query import Item

_WORDS = re.compile(r"[\w$]+")
_NO_SCOPE = frozenset({WRAP, "var", "const", "field", "member", "typedef"})  # Assigned definitions are no scopes.
_OF_FUNCTIONS = frozenset({"result", "abstract", "extends", "macro"})
_HOLDERS = CLASS_LIKE | {"var", "const", "field", "member", "typedef", "mod", "namespace"}
_INSIDE = frozenset({"field", "alias", "part", "base"})  # outside of a definition by the same node
_FROM_HERE = frozenset({"narrowed", "field", "part"})  # valid from their position on
_LONGEST = 400  # bytes of a text with the meaning of a name


def read_bound_name(
    item: Item, frames: Sequence[Frame], names: NameReader, source: bytes, block: Span | None = None
) -> BoundName | None:
    """Read a binding; `block` is the innermost one around it, to which a local name is limited."""
    first, minus_end, _, _, pattern, name_span, span, more = item
    role, settings = pattern.binds, pattern.settings
    if role in _INSIDE:
        frames = [frame for frame in frames if (frame.start, frame.end) != (first, -minus_end)]
    scope = frames[-1]
    if scope.kind in _NO_SCOPE:
        scope = next(frame for frame in reversed(frames) if frame.kind not in _NO_SCOPE)
    frame = _FRAMES[role](frames) if role in _FRAMES else scope
    is_type = pattern.content == "type"
    if span is None and more and "type" in more:
        span, is_type = more["type"], True
    name = names.name(name_span) if name_span else ""
    text = read_text(source, span) if span else ""
    strip = step = ""
    if settings:
        strip, step = settings.get("strip", ""), settings.get("step", "")
        name = settings.get("name") or settings.get("prefix", "") + name.lstrip(strip)
        text = settings.get("value") or text.lstrip(strip)
    if more and "key" in more:
        step = steps_of_key(names.name(more["key"]).lstrip(strip))
    if more and "prefix" in more:
        name = f"{names.name(more['prefix']).lstrip(strip)}{settings.get('join', '')}{name}"
    if more and "owner" in more and (frame is None or role != "field"):
        name = f"{names.name(more['owner'])}.{name}"  # a part of something that is no definition
        frame = frame or scope
    elif role == "part":  # unless a definition holds the object
        name, frame = f".{name}", None if frame else scope
    if frame is None or (role in _OF_FUNCTIONS and frame.kind not in FUNCTION_LIKE):
        return None  # Anonymous functions have no entity.
    until = 0
    if role == "narrowed":
        until = -minus_end
    elif role == "local" and block is not None and (frame.start < block[0] or block[1] < frame.end):
        until = block[1]
    elif frame.kind == LAMBDA:
        first, until = first if role in _FROM_HERE else frame.start, frame.end
    owner = EXPORTS if role == "export" else frame.entity
    return BoundName(role, name, text, is_type and span is not None, step, owner, scope.entity, first, until)


def read_mention(item: Item, frame: Frame, source: bytes) -> BoundName:
    """Read a use without parentheses; its role is the kind of edge, its name the argument of the call.

    With a step, it is the call of a member that is not written there; then it has an end.
    """
    text = read_text(source, item[6] or (item[0], -item[1]))
    name = decode(source[slice(*item[5])]) if item[5] else ""
    step = item[4].settings.get("step", "")
    end = -item[1] if "step" in item[4].settings else 0
    return BoundName(item[4].kind, name, text, False, step, frame.entity, frame.entity, item[0], end)


def read_text(source: bytes, span: Span) -> str:
    """Return the text of an expression; empty if it is too long, but for lists and their like."""
    start, end = span
    if end - start > _LONGEST:
        return "[]" if source[start : start + 1] in (b"[", b"{") else ""
    return decode(source[start:end])


def steps_of_key(keys: str) -> str:
    """Return the outer and the inner key of a text such as `a: {b`."""
    words = _WORDS.findall(keys)
    return "".join(f".{word}" for word in ([words[0], words[-1]] if len(words) > 1 else [keys]))


def _directly_around(frames: Sequence[Frame]) -> Frame:
    return next(frame for frame in reversed(frames) if frame.kind != WRAP)


def _holder(frames: Sequence[Frame]) -> Frame | None:
    """Return the holder of a field: a type, or the variable that an object is assigned to."""
    frame = _directly_around(frames)
    return frame if frame.kind in _HOLDERS else None


def _type_around(frames: Sequence[Frame]) -> Frame | None:
    """Return the type of `self`: the type around, or a function that is one."""
    types = (frame for frame in reversed(frames) if frame.kind in CLASS_LIKE)
    functions = (frame for frame in reversed(frames) if frame.kind in FUNCTION_LIKE)
    return next(types, None) or next(functions, None)


def _file(frames: Sequence[Frame]) -> Frame | None:
    return frames[0]


# The frames of names that do not belong to the scope around them.
_FRAMES: dict[str, Callable[[Sequence[Frame]], Frame | None]] = {
    "field": _holder,
    "part": _holder,
    "base": _holder,
    "alias": _directly_around,
    "member": _type_around,
    "declared": _directly_around,
    "export": _file,
}
