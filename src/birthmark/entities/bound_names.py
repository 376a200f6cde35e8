"""What names mean, as far as a source says so itself: parameters, assignments, results, exports.

Takes the `@bind` and `@mention` items of a sweep and the frames around each; gives BoundNames.
`docs/how-to/add-a-language.md` has the captures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from birthmark.entities.frames import LAMBDA, WRAP, Frame
from birthmark.entities.names import NameReader, decode
from birthmark.model import CLASS_LIKE, EXPORTS, FUNCTION_LIKE, BoundName, Span
from birthmark.syntax.query import Item

_WORDS = re.compile(r"[\w$]+")
_NO_SCOPE = frozenset({WRAP, "var", "const", "field", "member", "typedef"})  # What an assignment defines is none.
_OF_FUNCTIONS = frozenset({"result", "abstract", "extends", "macro"})
_HOLDERS = CLASS_LIKE | {"var", "const", "field", "member", "typedef", "mod", "namespace"}
_INSIDE = frozenset({"field", "alias", "part", "base"})  # not in what the same node defines
_FROM_HERE = frozenset({"narrowed", "field", "part"})  # what is said of the code from there on
_LONGEST = 400  # bytes of a text that says what a name means


def read_bound_name(
    item: Item, frames: Sequence[Frame], names: NameReader, source: bytes, block: Span | None = None
) -> BoundName | None:
    """`block` is the innermost one around it, in which a local name holds."""
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
    text = decode(source[span[0] : span[1]]) if span and span[1] - span[0] <= _LONGEST else ""
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
        name = f"{names.name(more['owner'])}.{name}"  # a part of what is no definition
        frame = frame or scope
    elif role == "part":  # not where a definition holds the object
        name, frame = f".{name}", None if frame else scope
    if frame is None or (role in _OF_FUNCTIONS and frame.kind not in FUNCTION_LIKE):
        return None  # That of an anonymous function is not known.
    until = 0
    if role == "narrowed":
        until = -minus_end
    elif role == "local" and block is not None and frame.start < block[0]:
        until = block[1]
    elif frame.kind == LAMBDA:
        first, until = first if role in _FROM_HERE else frame.start, frame.end
    owner = EXPORTS if role == "export" else frame.entity
    return BoundName(role, name, text, is_type and span is not None, step, owner, scope.entity, first, until)


def read_mention(item: Item, frame: Frame, source: bytes) -> BoundName:
    """What is used without parentheses; its role is that of the edge, its name what it is called with."""
    start, end = item[6] or (item[0], -item[1])
    text = decode(source[start:end]) if end - start <= _LONGEST else ""
    name = decode(source[slice(*item[5])]) if item[5] else ""
    return BoundName(item[4].kind, name, text, False, "", frame.entity, frame.entity, item[0], 0)


def steps_of_key(keys: str) -> str:
    """Of `a: {b` the outer and the inner key, whatever is between them."""
    words = _WORDS.findall(keys)
    return "".join(f".{word}" for word in ([words[0], words[-1]] if len(words) > 1 else [keys]))


def _directly_around(frames: Sequence[Frame]) -> Frame:
    return next(frame for frame in reversed(frames) if frame.kind != WRAP)


def _holder(frames: Sequence[Frame]) -> Frame | None:
    """What a field is in: a type, or the variable that an object is assigned to."""
    frame = _directly_around(frames)
    return frame if frame.kind in _HOLDERS else None


def _type_around(frames: Sequence[Frame]) -> Frame | None:
    """What `self` is an instance of: the type around, or a function that is one."""
    types = (frame for frame in reversed(frames) if frame.kind in CLASS_LIKE)
    functions = (frame for frame in reversed(frames) if frame.kind in FUNCTION_LIKE)
    return next(types, None) or next(functions, None)


def _file(frames: Sequence[Frame]) -> Frame | None:
    return frames[0]


# Where a name belongs that does not simply hold in the scope around it.
_FRAMES: dict[str, Callable[[Sequence[Frame]], Frame | None]] = {
    "field": _holder,
    "part": _holder,
    "base": _holder,
    "alias": _directly_around,
    "member": _type_around,
    "declared": _directly_around,
    "export": _file,
}
