"""Describe the version, and whether the native extension module is used."""

from __future__ import annotations

from birthmark import __version__
from birthmark.syntax.native import load_native


def describe_version() -> str:
    return f"{__version__} ({'pure Python' if load_native() is None else 'native'})"
