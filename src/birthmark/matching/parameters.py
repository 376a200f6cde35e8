"""The parameters of a function, in a form that can be compared, which is what overloads differ by; and its type."""

from __future__ import annotations

import re
from functools import lru_cache

from birthmark.entities.signatures import parse_signature
from birthmark.matching.model import MatchCandidate

_DECORATION = re.compile(r"@[\w.]+(\([^()]*\))?\s*|\b(final|const|readonly|mut|var|val|let|in|out|ref)\s+")


def parameters_of(entity: MatchCandidate) -> str:
    """As written, but for modifiers and annotations; empty for what is no function.

    They are read where they are asked for: a commit that changes ten thousand functions leaves few to ask about.
    """
    return _read_signature(entity.signature, entity.name)[0] if entity.signature else ""


def type_of(entity: MatchCandidate) -> str:
    """The declared type of a function's result, empty if there is none."""
    return _read_signature(entity.signature, entity.name)[1] if entity.signature else ""


@lru_cache(1 << 14)
def _read_signature(signature: str, name: str) -> tuple[str, str]:
    parts = parse_signature(signature, name)
    return ",".join(_DECORATION.sub("", parameter) for parameter in parts.parameters) or "()", parts.type
