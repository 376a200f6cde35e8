"""What a worker does for histories: entities and what they are made of, nothing else."""

from __future__ import annotations

import msgspec

from birthmark.languages.registry import load_registry
from birthmark.operations.outline import Outline, sketch_source


class _Work(msgspec.Struct, frozen=True, array_like=True):
    content: bytes
    language: str


_encoder = msgspec.msgpack.Encoder()
_work_decoder = msgspec.msgpack.Decoder(_Work)
_outline_decoder = msgspec.msgpack.Decoder(Outline)


def encode_work(content: bytes, language: str) -> bytes:
    return _encoder.encode(_Work(content, language))


def work(payload: bytes) -> bytes:
    task, registry = _work_decoder.decode(payload), load_registry()
    return _encoder.encode(sketch_source(task.content, registry.languages[task.language], registry))


def decode_sketch(result: bytes) -> Outline:
    return _outline_decoder.decode(result)
