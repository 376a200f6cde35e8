"""The versions of the packages that grammars are in."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache


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
