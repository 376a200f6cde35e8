"""Pictures of pages with a palette: a third of the bytes, and no difference that is seen.

Takes a PNG as browsers write it, eight bits a channel without interlacing; gives one with 256 colours at most.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}  # by the type of colour: without and with transparency
_MOST_COLOURS = 256


def with_palette(picture: bytes) -> bytes:
    """The most frequent colours; others become the nearest of them."""
    chunks = list(_chunks(picture))
    width, height, _, kind = struct.unpack_from(">IIBB", chunks[0][1])
    data = zlib.decompress(b"".join(content for name, content in chunks if name == b"IDAT"))
    rows = [_colours(row, _CHANNELS[kind]) for row in _unfiltered(data, width * _CHANNELS[kind], _CHANNELS[kind])]
    counts = Counter(colour for row in rows for colour in row)
    palette = [colour for colour, _ in counts.most_common(_MOST_COLOURS)]
    index = {colour: _nearest(colour, palette) for colour in counts}
    indexed = b"".join(b"\0" + bytes([index[colour] for colour in row]) for row in rows)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", b"".join(palette)), (b"IDAT", zlib.compress(indexed, 9)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(*part) for part in parts)


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(picture):
        length, name = struct.unpack_from(">I4s", picture, at)
        yield name, picture[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _unfiltered(data: bytes, stride: int, step: int) -> Iterator[bytes]:
    """The rows; each byte is stored as its difference to what the filter of its row predicts."""
    above = bytes(stride)
    for at in range(0, len(data), stride + 1):
        row, kind = bytearray(step) + data[at + 1 : at + 1 + stride], data[at]
        if kind == 2:
            row[step:] = bytes([(one + up) & 255 for one, up in zip(row[step:], above, strict=True)])
        elif kind:
            corners = bytes(step) + above[: stride - step]
            for i, (up, corner) in enumerate(zip(above, corners, strict=True)):
                row[i + step] = (row[i + step] + _predict(kind, row[i], up, corner)) & 255
        above = bytes(row[step:])
        yield above


def _predict(kind: int, left: int, up: int, corner: int) -> int:
    if kind != 4:
        return left if kind == 1 else (left + up) >> 1
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))


def _colours(row: bytes, channels: int) -> list[bytes]:
    return [row[at : at + 3] for at in range(0, len(row), channels)]


def _nearest(colour: bytes, palette: list[bytes]) -> int:
    return min(
        range(len(palette)), key=lambda number: sum((a - b) ** 2 for a, b in zip(colour, palette[number], strict=True))
    )
