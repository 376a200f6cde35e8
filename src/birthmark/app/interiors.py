"""Look inside the definitions of a source: its scopes, its local names and its tokens, read by a worker."""

from __future__ import annotations

import msgspec

from birthmark.languages.registry import load_registry
from birthmark.operations.blocks import Interior
from birthmark.operations.parts import Part, ReadOptions
from birthmark.operations.read import extract_source
from birthmark.operations.variables import TYPES

_NODE_TYPES = TYPES | {"SCOPE", "FUNCTION"}


class InteriorTask(msgspec.Struct, frozen=True, array_like=True):
    """What a worker needs to look inside a source."""

    content: bytes
    language: str


_encoder = msgspec.msgpack.Encoder()
_task_decoder = msgspec.msgpack.Decoder(InteriorTask)
_interior_decoder = msgspec.msgpack.Decoder(Interior)


def encode_task(content: bytes, language: str) -> bytes:
    return _encoder.encode(InteriorTask(content, language))


def decode_interior(result: bytes) -> Interior:
    return _interior_decoder.decode(result)


def work(payload: bytes) -> bytes:
    """What a worker does with a source."""
    task = _task_decoder.decode(payload)
    registry = load_registry()
    part, _, _ = extract_source("", task.content, registry.languages[task.language], registry, ReadOptions())
    nodes = tuple([node for node in part.nodes if node.type in _NODE_TYPES])
    return _encoder.encode(Interior(nodes, _join_masks(task.content, part)))


def _join_masks(content: bytes, part: Part) -> bytes:
    """The masks of all sources in a file, each in its place; the rest of the file has no tokens."""
    mask = bytearray(len(content))
    for parsed in part.parsed:
        at = content.find(parsed.source)
        if at >= 0:
            mask[at : at + len(parsed.mask)] = parsed.mask
    return bytes(mask)
