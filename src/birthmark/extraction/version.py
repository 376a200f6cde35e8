"""The version of the extractor: changes with all that an outline depends on besides the source."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256

from birthmark import __version__
from birthmark.extraction.codec import FORMAT
from birthmark.extraction.model import ReadOptions
from birthmark.identity.fingerprints import VERSION
from birthmark.languages.registry import Registry

_EXTRACTION = 5  # raised when the same source gives another outline


def extractor_version(registry: Registry, options: ReadOptions) -> str:
    """Of our code, the options, the languages and the grammars."""
    parts = [__version__, str(_EXTRACTION), str(FORMAT), str(VERSION), repr(options)]
    for spec in registry.languages.values():
        parts += [repr(spec), package_version(spec.grammar)]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]


@cache
def package_version(module: str) -> str:
    """Of an installed package; empty if it is not installed."""
    found = _installed().get(module.lower())
    if found is not None:
        return found
    from importlib.metadata import PackageNotFoundError, version  # which takes longer than all the rest of this

    try:
        return version(module.replace("_", "-"))
    except PackageNotFoundError:
        return ""


@cache
def _installed() -> dict[str, str]:
    """The versions of packages, as the folders that describe them are named: `name-version.dist-info`."""
    found: dict[str, str] = {}
    for folder in sys.path:
        with suppress(OSError):
            for entry in os.listdir(folder or "."):
                name, dash, version = entry.removesuffix(".dist-info").rpartition("-")
                if dash and entry.endswith(".dist-info"):
                    found.setdefault(name.lower().replace("-", "_").replace(".", "_"), version)
    return found
