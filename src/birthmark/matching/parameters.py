"""The parameters of a function, in a form that can be compared: what overloads differ by."""

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
    return _read_parameters(entity.signature, entity.name) if entity.signature else ""


@lru_cache(1 << 14)
def _read_parameters(signature: str, name: str) -> str:
    parameters = parse_signature(signature, name).parameters
    return ",".join(_DECORATION.sub("", parameter) for parameter in parameters) or "()"
