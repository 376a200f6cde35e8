"""Import the modules of `graph` in compiled form, if `make native` has compiled the present sources.

The compiled modules are in `build/compiled` of a checkout, with the digest of what they were made from: after an edit
the sources count again. An installed Birthmark has none, and neither has one with BIRTHMARK_PURE=1.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

PACKAGE = Path(__file__).parent
FOLDER = PACKAGE.parents[1] / "build" / "compiled"
STAMP = "digest"
_OTHERS = ("languages/rules.py", "model.py", "vocabulary.py")  # whose types the compiled modules know


class CompiledFinder:
    """Finds the modules that a folder has in compiled form."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the compiled module; None for those that are not compiled."""
        if not name.startswith("birthmark.graph.") and not name.endswith("__mypyc"):
            return None
        from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec

        file = str(self.folder / name.replace(".", "/")) + EXTENSION_SUFFIXES[0]
        return ModuleSpec(name, ExtensionFileLoader(name, file), origin=file) if os.path.exists(file) else None


def prefer_compiled() -> None:
    """Have the modules of the graph imported in compiled form, if they were made from the present sources."""
    stamp = FOLDER / STAMP
    is_wanted = os.environ.get("BIRTHMARK_PURE") != "1" and stamp.is_file()
    if is_wanted and stamp.read_text("utf-8") == digest_sources():
        sys.meta_path.insert(0, CompiledFinder(FOLDER))


def digest_sources() -> str:
    """Return the digest of the sources that are compiled, and of what they are compiled with."""
    import xxhash  # An installed Birthmark does not need it at start.

    digest = xxhash.xxh3_128(f"{sys.version} {sys.platform}".encode())
    for path in (*sorted((PACKAGE / "graph").rglob("*.py")), *(PACKAGE / one for one in _OTHERS)):
        digest.update(path.read_bytes())
    return digest.hexdigest()
