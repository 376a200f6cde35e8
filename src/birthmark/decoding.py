"""Decode documents: msgspec types shared by threads, and untrusted TOML within bounds.

Each type is prepared once and by one thread at a time. While msgspec analyses a type, it keeps incomplete results with
it: two threads that use a type for the first time at the same moment can crash the process. Code that may run in
threads takes its decoders and types from here.
"""

from __future__ import annotations

import re
import tomllib
from threading import RLock
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

MOST_TOML = 1 << 18  # characters; the worst case takes 150 MB
_DEEPEST = 16  # parts of a key, or nested values
# Strings and comments as `tomllib` reads them, then the punctuation of keys and values. `tomllib` refuses a text where
# it disagrees.
_TOML_TOKEN = re.compile(
    r'''"""[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*+"{3,5}'''
    r"""|'''[^']*+(?:'(?!'')[^']*+)*+'{3,5}"""
    r"""|"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|#[^\n]*+|[.\[\]{}=,\n]"""
)
_lock = RLock()
_decoders: dict[object, msgspec.msgpack.Decoder[Any]] = {}


def msgpack_decoder(kind: type[T]) -> msgspec.msgpack.Decoder[T]:
    found = _decoders.get(kind)
    if found is None:
        with _lock:
            found = _decoders.setdefault(kind, msgspec.msgpack.Decoder(kind))
    return found


def prepared(kind: type[T]) -> type[T]:
    """Prepare a type for `msgspec.json.decode` and `msgspec.convert`, and return it."""
    msgpack_decoder(kind)
    return kind


def read_toml(text: str) -> dict[str, Any]:
    """Parse untrusted TOML; raise a ValueError for all that is wrong with it.

    `tomllib` takes memory by the square of a key's parts, and recurses into values. Both are bounded first.
    """
    if len(text) > MOST_TOML:
        raise ValueError(f"has more than {MOST_TOML:,} characters")
    _check_depth(text)
    return tomllib.loads(text)


def _check_depth(text: str) -> None:
    n_dots = n_open = 0
    for found in _TOML_TOKEN.finditer(text):
        match found[0]:
            case ".":
                n_dots += 1
            case "[" | "{":
                n_dots, n_open = 0, n_open + 1
            case "]" | "}":
                n_open -= 1
            case "=" | "," | "\n":
                n_dots = 0
        if max(n_dots, n_open) >= _DEEPEST:
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"is nested more than {_DEEPEST} deep (at line {line})")
