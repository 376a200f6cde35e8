"""Files as a comparison takes them."""

from __future__ import annotations

from birthmark.extraction.model import OutlinedFile
from birthmark.extraction.read import outline_of
from reading import read


def state(path: str, source: str, language: str = "python") -> OutlinedFile:
    return OutlinedFile(path, outline_of(read(language, source, "")), source.encode)
