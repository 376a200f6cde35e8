"""The version of the extractor: changes with all that an outline depends on besides the source."""

from __future__ import annotations

from hashlib import sha256

from msgspec.json import encode

from birthmark import __version__
from birthmark.extraction.codec import FORMAT
from birthmark.extraction.model import ReadOptions
from birthmark.identity.fingerprints import VERSION
from birthmark.languages.package_versions import package_version
from birthmark.languages.registry import Registry

_EXTRACTION = 6  # raised when the same source gives another outline, or snapshots show more of it


def extractor_version(registry: Registry, options: ReadOptions) -> str:
    """Of our code, the options, the languages and the grammars."""
    parts = [__version__, str(_EXTRACTION), str(FORMAT), str(VERSION), repr(options)]
    for spec in registry.languages.values():
        parts += [encode(spec).decode(), package_version(spec.grammar)]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]
