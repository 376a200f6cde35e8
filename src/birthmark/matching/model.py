"""The values of matching: MatchCandidates go in, a Pairing comes out.

`parameters_of` and `type_of` return parts of a candidate's signature in a form that can be compared.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from birthmark.entities.signatures import parse_signature
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import Confidence, Evidence

_DECORATION = re.compile(r"@[\w.]+(\([^()]*\))?\s*|\b(final|const|readonly|mut|var|val|let|in|out|ref)\s+")


class MatchCandidate(msgspec.Struct, frozen=True, gc=False):
    """An entity reduced to what can be recognised. `id` is whatever the caller knows it by."""

    id: str
    path: str
    kind: str
    name: str
    parent: str | None
    start_line: int
    end_line: int
    content: str  # fingerprints
    interface: str = ""
    body: str | None = None
    family: str = ""  # of languages; entities of two families are never one thing
    weight: int = 0  # bytes of tokens in the body: a light body proves little
    container: int = -1  # index of the entity around it in the same sequence
    start_byte: int = 0
    end_byte: int = 0
    signature: str = ""  # of functions, whose overloads differ by their parameters


CONFIDENCE = {
    Evidence.SAME_IDENTITY: Confidence.HIGH,
    Evidence.SAME_CONTENT: Confidence.HIGH,
    Evidence.SAME_NAME: Confidence.HIGH,
    Evidence.SAME_INTERFACE: Confidence.LOW,
    Evidence.SAME_PARAMETERS: Confidence.MEDIUM,
    Evidence.SIMILAR_NAMESAKE: Confidence.LOW,
    Evidence.SAME_POSITION: Confidence.LOW,
    Evidence.SAME_CONTENT_ELSEWHERE: Confidence.HIGH,
    Evidence.SAME_NAME_ELSEWHERE: Confidence.MEDIUM,  # That the place was renamed is itself a conclusion.
    Evidence.SAME_MEMBERS: Confidence.MEDIUM,
    Evidence.SAME_BODY: Confidence.MEDIUM,
    Evidence.SAME_DECLARATION: Confidence.LOW,
    Evidence.SAME_NAME_FOLLOWING: Confidence.LOW,
    Evidence.SAME_USES: Confidence.LOW,
    Evidence.SIMILAR: Confidence.LOW,
    Evidence.LIKELY: Confidence.LOW,
}


class Pair(msgspec.Struct, frozen=True, gc=False):
    """Indexes of an old and a new entity that are one thing."""

    old: int
    new: int
    evidence: Evidence
    score: float | None = None  # of similar ones

    @property
    def confidence(self) -> Confidence:
        return CONFIDENCE[self.evidence]


class Pairing(msgspec.Struct, frozen=True):
    """A one-to-one pairing. Entities in no pair are deleted or born; ambiguous ones are born."""

    pairs: tuple[Pair, ...]
    deleted: tuple[int, ...]
    born: tuple[int, ...]
    ambiguous: dict[int, tuple[int, ...]] = {}  # new entities, each with the old ones that it may be
    files: dict[str, str] = {}  # renamed files: old path to new path


TYPE, FUNCTION, VALUE = "type", "function", "value"
IMPL = "impl"  # a kind: the methods of a type that is defined elsewhere
# Kinds of one sort may turn into one another. A kind that is not listed turns into nothing else.
SORTS = (
    dict.fromkeys(CLASS_LIKE - {IMPL}, TYPE)
    | dict.fromkeys(FUNCTION_LIKE, FUNCTION)
    | dict.fromkeys(("field", "const", "var"), VALUE)
)

Content = tuple[str, str]  # a family of languages and a fingerprint


def content_of(entity: MatchCandidate) -> Content:
    """Return the content with the family of the language: `X = 1` of two families is not one thing."""
    return entity.family, entity.content


def sort_of(entity: MatchCandidate) -> str:
    return SORTS.get(entity.kind, entity.kind)


def parameters_of(entity: MatchCandidate) -> str:
    """Return the parameters of a function without modifiers and annotations; empty for other entities.

    They are read on demand: a commit that changes ten thousand functions leaves few to ask about.
    """
    return _read_signature(entity.signature, entity.name)[0] if entity.signature else ""


def type_of(entity: MatchCandidate) -> str:
    """Return the declared result type of a function, empty if there is none."""
    return _read_signature(entity.signature, entity.name)[1] if entity.signature else ""


@lru_cache(1 << 14)
def _read_signature(signature: str, name: str) -> tuple[str, str]:
    parts = parse_signature(signature, name)
    return ",".join(_DECORATION.sub("", parameter) for parameter in parts.parameters) or "()", parts.type
