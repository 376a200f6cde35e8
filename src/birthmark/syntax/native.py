"""Find and load the extension module `birthmark._native`, if it is there and made from the sources that are there.

Takes nothing and returns the module, or None where Python does its work. The digest of its sources is compiled into the
module: a binary of other sources is not even loaded. An installed wheel has no sources; its parts belong together.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

NAME = "birthmark._native"
SOURCES = Path(__file__).parents[3] / "native"  # in a checkout
_SUFFIXES = (".c", ".h", ".py", ".txt")  # what a build reads, and how it is done


@cache
def load_native() -> ModuleType | None:
    """The module; None if BIRTHMARK_PURE is 1, or if it is missing, of other sources or of another system."""
    if os.environ.get("BIRTHMARK_PURE") == "1":
        return None
    spec = find_spec(NAME)
    if spec is None or spec.origin is None or not is_current(Path(spec.origin), SOURCES):
        return None
    try:
        return importlib.import_module(NAME)
    except ImportError:
        return None


def is_current(binary: Path, sources: Path) -> bool:
    """Whether a binary is there and made from these sources, or from those it was installed with."""
    if not binary.is_file():
        return False
    return not (sources / "module.c").is_file() or digest_sources(sources).encode() in binary.read_bytes()


def digest_sources(folder: Path) -> str:
    """What is compiled into the module: the hash of all sources, and of how they are built."""
    import hashlib  # here, since it loads a library that an installed Birthmark does not need to show its version

    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in _SUFFIXES:
            content = path.read_bytes()
            digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return f"birthmark-native-{digest.hexdigest()[:32]}"
