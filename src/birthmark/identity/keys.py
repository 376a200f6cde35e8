"""Keys and marks: the names given to an identity at birth.

A key is `{language}:{kind}:{name}[:{parent}]:{place}:T{birth}`; its semantic path is the part before the birth. A mark
is derived from the key at birth and never changes, even if the key does.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Iterable
from contextlib import suppress

import msgspec

from birthmark.syntax.native import load_native

_BIRTH = re.compile(r":T(\d+)\Z")
_BREAKS_GRAMMAR = re.compile(r"[%:\x00-\x1f\x7f]")
_ENCODED = re.compile(r"%([0-9A-F]{2})")
_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [high + low for high in _CROCKFORD for low in _CROCKFORD]
_MARK = re.compile(rf"bm-[{_CROCKFORD}]{{12}}")
_MISREAD = str.maketrans("oil", "011")
_MARK_BITS = 60


class Key(msgspec.Struct, frozen=True):
    """The parts of a key, with `place` as returned by `place_of`."""

    language: str
    kind: str
    name: str
    parent: str | None
    place: str
    birth: int

    def __str__(self) -> str:
        return f"{self.semantic_path}:T{self.birth}"

    @property
    def qualified_name(self) -> str:
        return self.name if self.parent is None else f"{self.parent}.{self.name}"

    @property
    def semantic_path(self) -> str:
        return format_semantic_path(self.language, self.kind, self.name, self.parent, self.place)


def format_semantic_path(language: str, kind: str, name: str, parent: str | None, place: str) -> str:
    if parent is None:
        return f"{language}:{kind}:{encode_name(name)}:{place}"
    return f"{language}:{kind}:{encode_name(name)}:{encode_name(parent)}:{place}"


def generate_key(language: str, kind: str, name: str, parent: str | None, path: str, birth: int) -> str:
    return f"{format_semantic_path(language, kind, name, parent, place_of(path))}:T{birth}"


def external_key(language: str, kind: str, name: str, module: str) -> str:
    """Return the key of an external definition: `rust:struct:HashMap:std_collections:T0`."""
    place = re.sub(r"[^A-Za-z0-9]+", "_", module).strip("_")
    return f"{format_semantic_path(language, kind, name, None, place)}:T0"


def parse_key(text: str) -> Key | None:
    """Parse a key; None for any other text, such as a key of the first version."""
    birth = _BIRTH.search(text)
    parts = text[: birth.start()].split(":") if birth else []
    if birth is None or len(parts) not in (4, 5):
        return None
    language, kind, name, *parents, place = parts
    parent = decode_name(parents[0]) if parents else None
    return Key(language, kind, decode_name(name), parent, place, int(birth[1]))


def semantic_path_of(key: str) -> str:
    """Return everything before a trailing `:T<digits>`, or the whole key without one."""
    return _BIRTH.sub("", key)


def place_of(path: str) -> str:
    return "__" + re.sub(r"[^A-Za-z0-9]", "_", path)


def choose_birth(now: int, taken: Container[int]) -> int:
    """Return the first free second from now on, so that births are unique within a semantic path."""
    while now in taken:
        now += 1
    return now


def choose_births(semantic_paths: Iterable[str], now: int, taken: dict[str, set[int]] | None = None) -> list[int]:
    """Choose births of entities that are born together, in order; `taken` holds earlier births by path."""
    known = {path: set(births) for path, births in (taken or {}).items()}
    births = []
    for path in semantic_paths:
        birth = choose_birth(now, known.setdefault(path, set()))
        known[path].add(birth)
        births.append(birth)
    return births


def mint_mark(key_at_birth: str, taken: Container[str] = ()) -> str:
    """Derive the mark of a key; if it is taken, the next free one."""
    seed = key_at_birth
    while (mark := _derive_mark(seed)) in taken:
        seed += "\0"
    return mark


def derive_marks(keys: list[str]) -> list[str]:
    """Derive the marks of many keys, as if none were taken."""
    native = load_native()
    if native is not None:
        with suppress(UnicodeEncodeError):  # of a key that is no UTF-8
            marks: list[str] = native.derive_marks(keys)
            return marks
    return [_derive_mark(key) for key in keys]


def _derive_mark(seed: str) -> str:
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
    number = int.from_bytes(digest[:8], "big") >> (64 - _MARK_BITS)
    return "bm-" + "".join([_PAIRS[number >> shift & 1023] for shift in range(_MARK_BITS - 10, -1, -10)])


def parse_mark(text: str) -> str | None:
    """Parse a typed mark; upper case is accepted, and O, I and L are read as 0, 1 and 1."""
    lowered = text.strip().lower()
    if not lowered.startswith("bm-"):
        return None
    mark = "bm-" + lowered[3:].translate(_MISREAD)
    return mark if _MARK.fullmatch(mark) else None


def encode_name(name: str) -> str:
    """Encode a name for keys."""
    if name.isidentifier():
        return name
    return _BREAKS_GRAMMAR.sub(lambda match: f"%{ord(match[0]):02X}", name)


def decode_name(name: str) -> str:
    """Decode a name from a key."""
    if "%" not in name:
        return name
    return _ENCODED.sub(lambda match: chr(int(match[1], 16)), name)
