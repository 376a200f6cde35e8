"""Messages of Protocol Buffers, field by field: what is written is what is left out of no reader.

Takes numbers and values of fields; gives bytes that follow one another in a message. A value that is the default is
left out, as the format wants it.
"""

from __future__ import annotations

from collections.abc import Iterable

_VARINT, _BYTES = 0, 2  # wire types


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def number_field(field: int, number: int) -> bytes:
    return varint(field << 3 | _VARINT) + varint(number) if number else b""


def message_field(field: int, *parts: bytes) -> bytes:
    """A message in a message, which is written though it be empty."""
    content = b"".join(parts)
    return varint(field << 3 | _BYTES) + varint(len(content)) + content


def text_field(field: int, text: str) -> bytes:
    """A path or name that is no Unicode is written with question marks."""
    return message_field(field, text.encode("utf-8", "replace")) if text else b""


def numbers_field(field: int, numbers: Iterable[int]) -> bytes:
    packed = b"".join(map(varint, numbers))
    return message_field(field, packed) if packed else b""
