"""What names mean, as far as a source says so itself: parameters, assignments, results, exports.

Takes the `@bind` items of a sweep and the frames around each; gives BoundNames. `docs/how-to/add-a-language.md` has the
captures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from birthmark.entities.frames import LAMBDA, WRAP, Frame
from birthmark.entities.names import NameReader, decode
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, BoundName
from birthmark.syntax.query import Item

_WORDS = re.compile(r"[\w$]+")
EXPORTS = -2  # the owner of what a module exports
_VALUES = frozenset({"var", "const", "field", "member"})
_HOLDERS = CLASS_LIKE | {"typedef", "mod", "namespace"}
_FROM_HERE = frozenset({"narrowed", "field", "part"})  # what is said of the code from there on
_INSIDE = frozenset({"field", "part", "base"})
_LONGEST = 400  # bytes of a text that says what a name means


def read_bound_name(item: Item, frames: Sequence[Frame], names: NameReader, source: bytes) -> BoundName | None:
    pattern, name_span, more = item[4], item[5], item[7]
    around = [frame for frame in reversed(frames) if frame.kind != WRAP]
    if pattern.kind in _INSIDE:  # not in what the same node defines
        around = [frame for frame in around if (frame.start, frame.end) != (item[0], -item[1])]
    name = pattern.settings.get("name") or (names.name(name_span) if name_span else "")
    span = item[6] or more.get("type")
    start, end = span or (0, 0)
    text = decode(source[start:end]) if end - start <= _LONGEST else ""
    step = _steps(names.name(more["key"])) if "key" in more else pattern.settings.get("step", "")
    frame = _FRAMES[pattern.kind](item, around)
    if "owner" in more and (frame is None or pattern.kind != "field"):
        name = f"{names.name(more['owner'])}.{name}"  # a part of what is no definition
        frame = frame or _scope(item, around)
    elif pattern.kind == "part":
        name = f".{name}"
    if frame is None:
        return None
    owner = EXPORTS if pattern.kind == "export" else frame.entity
    scope = next(one for one in around if one.kind not in _VALUES)
    until = 0
    if pattern.kind == "narrowed":
        until = -item[1]
    elif frame.kind == LAMBDA:
        until = frame.end
    return BoundName(
        pattern.kind,
        name,
        pattern.settings.get("value") or text,
        not item[6] and bool(span),
        step,
        owner,
        scope.entity,
        frame.start if until and pattern.kind not in _FROM_HERE else item[0],
        until,
    )


def _steps(keys: str) -> str:
    """Of `a: {b` the outer and the inner key, whatever is between them."""
    words = _WORDS.findall(keys)
    return "".join(f".{word}" for word in ([words[0], words[-1]] if len(words) > 1 else [keys]))


def _scope(item: Item, around: list[Frame]) -> Frame | None:
    """Where a local name holds: not in the variable that the same assignment defines."""
    return next(frame for frame in around if frame.kind not in _VALUES)


def _holder(item: Item, around: list[Frame]) -> Frame | None:
    """What a field is in: a type, or the variable that an object is assigned to."""
    return around[0] if around[0].kind in _VALUES or around[0].kind in _HOLDERS else None


def _holder_or_scope(item: Item, around: list[Frame]) -> Frame | None:
    return _scope(item, around) if item[5] else _holder(item, around)


def _scope_of_part(item: Item, around: list[Frame]) -> Frame | None:
    """Where a function of an object would seem to be a name of the scope, since no definition holds the object."""
    return None if _holder(item, around) else _scope(item, around)


def _type_around(item: Item, around: list[Frame]) -> Frame | None:
    """What `self` is an instance of: the type around, or a function that is one."""
    types = (frame for frame in around if frame.kind in CLASS_LIKE)
    functions = (frame for frame in around if frame.kind in FUNCTION_LIKE)
    return next(types, None) or next(functions, None)


def _function(item: Item, around: list[Frame]) -> Frame | None:
    """Whose result it is; that of an anonymous function is not known."""
    frame = next(one for one in around if one.kind not in _VALUES)
    return frame if frame.kind in FUNCTION_LIKE else None


def _file(item: Item, around: list[Frame]) -> Frame | None:
    return around[-1]


_FRAMES: dict[str, Callable[[Item, list[Frame]], Frame | None]] = {
    "parameter": _scope,
    "optional": _scope,
    "rest": _scope,
    "local": _scope,
    "narrowed": _scope,
    "assigned": _scope,
    "field": _holder,
    "part": _scope_of_part,
    "base": _holder_or_scope,
    "member": _type_around,
    "result": _function,
    "export": _file,
}
