"""Load the extension module `birthmark._native`, if it exists and was built from the present sources.

Returns the module, or None, and then Python does the work. The digest of the sources is compiled into the module, and a
binary of other sources is not loaded. An installed wheel has no sources to compare.
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
_SUFFIXES = (".c", ".h", ".py", ".txt")  # inputs and instructions of a build


@cache
def load_native() -> ModuleType | None:
    """Return the module; None if BIRTHMARK_PURE is 1, or if it is missing, outdated or of another system."""
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
    """Return True if a binary exists and was built from these sources, or is installed without any."""
    if not binary.is_file():
        return False
    return not (sources / "module.c").is_file() or digest_sources(sources).encode() in binary.read_bytes()


def digest_sources(folder: Path) -> str:
    """Return the text compiled into the module: the hash of all sources and build instructions."""
    import hashlib  # Loads OpenSSL, which an installed Birthmark does not need at start.

    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in _SUFFIXES:
            content = path.read_bytes()
            digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return f"birthmark-native-{digest.hexdigest()[:32]}"
