"""Work that is done on sources in workers: what goes in and comes out crosses the border packed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from birthmark.extraction.outline import Outline, sketch_source
from birthmark.extraction.read import extract_source
from birthmark.extraction.segment_extraction import ReadOptions
from birthmark.history.blocks import Interior
from birthmark.history.variables import TYPES
from birthmark.languages.registry import load_registry

T = TypeVar("T")

_INNER_TYPES = TYPES | {"SCOPE", "FUNCTION"}


class Source(msgspec.Struct, frozen=True, array_like=True):
    """A source in a language."""

    content: bytes
    language: str


class Job(Generic[T]):
    """A function of a source, ready for a pool: `work` is what a worker runs."""

    def __init__(self, function: Callable[[Source], T], result: type[T]) -> None:
        self._function = function
        self._sources = msgspec.msgpack.Decoder(Source)
        self._results = msgspec.msgpack.Decoder(result)
        self._encoder = msgspec.msgpack.Encoder()

    def encode(self, content: bytes, language: str) -> bytes:
        return self._encoder.encode(Source(content, language))

    def work(self, payload: bytes) -> bytes:
        return self._encoder.encode(self._function(self._sources.decode(payload)))

    def run(self, content: bytes, language: str) -> T:
        """Without a worker."""
        return self._function(Source(content, language))

    def decode(self, result: bytes) -> T:
        return self._results.decode(result)


def _sketch(source: Source) -> Outline:
    registry = load_registry()
    return sketch_source(source.content, registry.languages[source.language], registry)


def _look_inside(source: Source) -> Interior:
    """The scopes, local names and tokens of a source."""
    registry = load_registry()
    part, _, _ = extract_source("", source.content, registry.languages[source.language], registry, ReadOptions())
    nodes = tuple([node for node in part.nodes if node.type in _INNER_TYPES])
    return Interior(nodes, part.joined_mask(len(source.content)))


SKETCH = Job(_sketch, Outline)
INTERIOR = Job(_look_inside, Interior)
