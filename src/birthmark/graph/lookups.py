"""The names of what can be looked up in a snapshot, by which is known what an edge depends on."""

from __future__ import annotations

import re

import xxhash

PATHS = "paths"  # files that say what the folders or modules around them are
_PARTS = re.compile(r"\w+")


def parts_of(written: str) -> list[str]:
    """The names in a path, or in the name of a module."""
    return _PARTS.findall(written)


def name_lookup(name: str) -> str:
    return f"name:{name}"


def base_lookup(name: str) -> str:
    return f"base:{name}"


def argument_lookup(alias: str) -> str:
    return f"argument:{alias}"


def module_lookup(part: str) -> str:
    return f"module:{part}"


def file_lookup(path: str) -> str:
    return f"file:{path}"


def parameters_lookup(path: str, function: str) -> str:
    return f"parameters:{path}:{function}"


def inner_lookup(path: str, function: str) -> str:
    """What the names inside of a function mean, and what it returns."""
    return f"inner:{path}:{function}"


def number_of(lookup: str) -> int:
    """A short form, in which two lookups are rarely the same; then a file is resolved once too often."""
    return xxhash.xxh32_intdigest(lookup.encode())


def place_of(lookup: str) -> tuple[str, str] | None:
    """The file and the function in which something was looked up, "" for all else in the file; None for no one file."""
    kind, _, rest = lookup.partition(":")
    if kind == "file":
        return rest, ""
    path, _, function = rest.rpartition(":")
    return (path, function) if kind in ("inner", "parameters") else None
