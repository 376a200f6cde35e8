"""Anchors: small documents by which any tool can find a definition, or a place in it, again.

Takes what is known of a definition; gives an Anchor, its JSON form and its one-line form, and reads both. An anchor
carries everything needed to recognize the definition without the index that made it: names, commit, fingerprints and a
sketch of its tokens. `docs/reference/anchors.md` specifies all of it.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence

import msgspec
import xxhash

from birthmark.decoding import msgpack_decoder, prepared
from birthmark.errors import BirthmarkError
from birthmark.identity.fingerprints import Fingerprint
from birthmark.identity.keys import parse_key, parse_mark

FORMAT = 1
PREFIX = "bma1-"
FILE = "file"  # the kind of an anchor to lines outside of all definitions
LONGEST_JSON = 500  # bytes; a longer document leaves the key out, as the mark is derived from it
SKETCH = 24  # bytes
_SHINGLE = 3  # tokens
_SUM = 4  # bytes of the checksum of the one-line form
_MOST = 1 << 16  # characters that are read as an anchor
_TOKEN = re.compile(rb"[A-Za-z0-9_$\x80-\xff]+|[^\sA-Za-z0-9_$\x80-\xff]")
_HASH = re.compile(r"[0-9a-f]{16}")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_START = re.compile(r"\s*(\{|bma[0-9]+-)")
_ABSENT = "-"  # a fingerprint that the definition lacks


class Within(msgspec.Struct, frozen=True):
    """Lines in a definition, or in a file: hashes of their tokens, and of the lines above and below."""

    lines: tuple[int, int]
    tokens: str
    before: str
    after: str


class Anchor(msgspec.Struct, frozen=True, kw_only=True):
    """A definition in one state of a repository; the fields of its JSON form, in their order."""

    anchor: int = msgspec.field()  # the version of the format
    path: str
    name: str  # qualified; empty for a file
    kind: str
    language: str
    lines: tuple[int, int]
    fingerprints: str  # version, then content, interface, body, documentation and text
    sketch: str  # in base64
    mark: str | None = None
    key: str | None = None
    repository: str | None = None  # host/owner/name
    commit: str | None = None
    within: Within | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        version, *hashes = self.fingerprints.split(":")
        content, interface, body, documentation, text = (None if one == _ABSENT else one for one in hashes)
        return Fingerprint(content or "", interface or "", body, documentation, text or "", int(version))

    def __str__(self) -> str:
        """Return the one-line form."""
        packed = msgspec.msgpack.encode(_packed(self))
        return PREFIX + urlsafe_b64encode(packed + _checksum(packed)).decode().rstrip("=")


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    """The fields of the one-line form; hashes as bytes, and empty for none."""

    path: str
    name: str
    kind: str
    language: str
    lines: tuple[int, int]
    fingerprint_version: int
    fingerprints: tuple[bytes, ...]
    sketch: bytes
    mark: str
    key: str
    repository: str
    commit: bytes
    within: tuple[int, int, bytes, bytes, bytes] | None


def make_anchor(
    *,
    path: str,
    name: str,
    kind: str,
    language: str,
    lines: tuple[int, int],
    fingerprint: Fingerprint,
    sketch: bytes,
    mark: str | None = None,
    key: str | None = None,
    repository: str | None = None,
    commit: str | None = None,
    within: Within | None = None,
) -> Anchor:
    """Return the anchor of a definition; `sketch` is that of its text."""
    if not _is_utf8(path):
        raise BirthmarkError(f"{path}: the name of the file is not UTF-8, so no anchor can hold it; rename the file")
    anchor = Anchor(
        anchor=FORMAT,
        path=path,
        name=name,
        kind=kind,
        language=language,
        lines=lines,
        fingerprints=_joined(fingerprint),
        sketch=b64encode(sketch).decode(),
        mark=mark,
        key=key,
        repository=repository,
        commit=commit,
        within=within,
    )
    if mark is not None and len(encode_anchor(anchor)) > LONGEST_JSON:
        return msgspec.structs.replace(anchor, key=None)
    return anchor


def _is_utf8(path: str) -> bool:
    """Return False if bytes of a file name were decoded to lone surrogates."""
    return not any("\ud800" <= one <= "\udfff" for one in path)


def encode_anchor(anchor: Anchor) -> bytes:
    """Return the JSON form."""
    return msgspec.json.encode(anchor)


def is_anchor(text: str) -> bool:
    """Return whether a text has one of the two forms; it may be damaged, or of another version."""
    return _START.match(text) is not None


def parse_anchor(text: str) -> Anchor | None:
    """Read either form; None for a text that is neither, an error for a damaged one or one of another version."""
    if not is_anchor(text):
        return None
    stripped = text.strip()
    if stripped.startswith("{"):
        return _from_json(stripped)
    if stripped.startswith(PREFIX):
        return _from_line(stripped)
    raise _foreign(stripped.partition("-")[0][3:])


def _from_json(text: str) -> Anchor:
    _check_length(text)
    try:
        version = msgspec.json.decode(text, type=prepared(_Version)).anchor
        if version != FORMAT:
            raise _foreign(str(version))
        anchor = msgspec.json.decode(text, type=prepared(Anchor))
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise _damaged(str(error)) from error
    return _checked(anchor)


class _Version(msgspec.Struct):
    """The field that tells the version of the format."""

    anchor: int


def _from_line(text: str) -> Anchor:
    _check_length(text)
    data = text.removeprefix(PREFIX)
    try:
        both = urlsafe_b64decode(data + "=" * (-len(data) % 4))
        packed = both[:-_SUM]
        if not packed or both[-_SUM:] != _checksum(packed):
            raise _damaged("its checksum differs")
        return _checked(_unpacked(msgpack_decoder(_Packed).decode(packed)))
    except (ValueError, msgspec.DecodeError, RecursionError) as error:
        raise _damaged("it is cut off, or is not base64") from error


def _check_length(text: str) -> None:
    if len(text) > _MOST:
        raise _damaged(f"it has more than {_MOST:,} characters")


def _foreign(version: str) -> BirthmarkError:
    return BirthmarkError(
        f"this anchor has format {version[:20]}, and this version of Birthmark reads {FORMAT}; upgrade Birthmark"
    )


def _damaged(why: str) -> BirthmarkError:
    return BirthmarkError(f"this anchor is damaged: {why}; copy it again, or make a new one with `birthmark anchor`")


def _checked(anchor: Anchor) -> Anchor:
    """Return an anchor whose parts have the form that the format prescribes."""
    parts = anchor.path.split("/")
    hashes = anchor.fingerprints.split(":")
    within = anchor.within
    checks = (
        ("path", bool(anchor.path) and not {"", ".", ".."} & {*parts} and "\0" not in anchor.path),
        ("name", "\0" not in anchor.name and bool(anchor.name) == (anchor.kind != FILE)),
        ("lines", 1 <= anchor.lines[0] <= anchor.lines[1] < 1 << 32),
        ("fingerprints", _are_fingerprints(hashes)),
        ("sketch", _is_sketch(anchor.sketch)),
        ("mark", anchor.mark is None or parse_mark(anchor.mark) == anchor.mark),
        ("key", anchor.key is None or parse_key(anchor.key) is not None),
        ("commit", anchor.commit is None or _COMMIT.fullmatch(anchor.commit) is not None),
        ("within", anchor.kind != FILE if within is None else _is_within(within, anchor.lines)),
    )
    wrong = next((name for name, is_right in checks if not is_right), None)
    if wrong is not None:
        raise _damaged(f"its {wrong} cannot be read")
    return anchor


def _are_fingerprints(hashes: Sequence[str]) -> bool:
    version, *rest = hashes
    return (
        version.isascii()
        and version.isdigit()
        and len(version) < 6
        and len(rest) == 5
        and all(one == _ABSENT or _HASH.fullmatch(one) for one in rest)
    )


def _is_sketch(text: str) -> bool:
    try:
        return len(b64decode(text, validate=True)) == SKETCH
    except ValueError:
        return False


def _is_within(within: Within, lines: tuple[int, int]) -> bool:
    is_hashed = all(_HASH.fullmatch(one) for one in (within.tokens, within.before, within.after))
    return is_hashed and lines[0] <= within.lines[0] <= within.lines[1] <= lines[1]


def _joined(fingerprint: Fingerprint) -> str:
    hashes = (
        fingerprint.content,
        fingerprint.interface,
        fingerprint.body,
        fingerprint.documentation,
        fingerprint.text,
    )
    return ":".join((str(fingerprint.version), *(one or _ABSENT for one in hashes)))


def _packed(anchor: Anchor) -> _Packed:
    version, *hashes = anchor.fingerprints.split(":")
    within = anchor.within
    return _Packed(
        anchor.path,
        anchor.name,
        anchor.kind,
        anchor.language,
        anchor.lines,
        int(version),
        tuple(b"" if one == _ABSENT else bytes.fromhex(one) for one in hashes),
        b64decode(anchor.sketch),
        anchor.mark or "",
        anchor.key or "",
        anchor.repository or "",
        bytes.fromhex(anchor.commit or ""),
        None if within is None else _packed_within(within),
    )


def _packed_within(within: Within) -> tuple[int, int, bytes, bytes, bytes]:
    hashes = (bytes.fromhex(one) for one in (within.tokens, within.before, within.after))
    return (*within.lines, *hashes)  # type: ignore[return-value]  # of three hashes


def _unpacked(packed: _Packed) -> Anchor:
    within = packed.within
    return Anchor(
        anchor=FORMAT,
        path=packed.path,
        name=packed.name,
        kind=packed.kind,
        language=packed.language,
        lines=packed.lines,
        fingerprints=":".join(
            (str(packed.fingerprint_version), *(one.hex() or _ABSENT for one in packed.fingerprints))
        ),
        sketch=b64encode(packed.sketch).decode(),
        mark=packed.mark or None,
        key=packed.key or None,
        repository=packed.repository or None,
        commit=packed.commit.hex() or None,
        within=within and Within(within[:2], *(one.hex() for one in within[2:])),
    )


def _checksum(packed: bytes) -> bytes:
    return xxhash.xxh32_digest(packed)


def tokens_of_text(text: bytes) -> list[bytes]:
    """Return the words and the other characters of a text, without white space."""
    return _TOKEN.findall(text)


def sketch_of(text: bytes) -> bytes:
    """Return the least hash of the text's shingles in each of several groups, a byte of each.

    A group without a shingle has the byte of the next one that has some.
    """
    tokens = tokens_of_text(text)
    least: dict[int, int] = {}
    for at in range(max(len(tokens) - _SHINGLE + 1, 1)):
        hashed, group = divmod(xxhash.xxh64_intdigest(b"\0".join(tokens[at : at + _SHINGLE])), SKETCH)
        least[group] = min(hashed, least.get(group, hashed))
    filled = sorted(least)
    nearest = (next((one for one in filled if one >= group), filled[0]) for group in range(SKETCH))
    return bytes(least[group] & 0xFF for group in nearest)


def sketch_likeness(one: bytes, other: bytes) -> float:
    """Return the estimated share of shingles that two texts have in common."""
    same = sum(a == b for a, b in zip(one, other, strict=True)) / SKETCH
    return max(0.0, (256 * same - 1) / 255)


def hash_lines(text: bytes) -> list[bytes]:
    """Return the hash of the tokens of each line; empty for a blank one. Only a line feed ends a line, as in git."""
    return [_hash_line(line) for line in text.removesuffix(b"\n").split(b"\n")] if text else []


def within_of(hashes: Sequence[bytes], first: int, last: int, start: int, end: int) -> Within:
    """Return the anchor of lines of a file; their neighbours are from `start` to `end`, and not blank."""
    return _within(hashes[start - 1 : end], first - start, last - start, start)


def find_within(within: Within, hashes: Sequence[bytes], start: int, end: int) -> tuple[list[tuple[int, int]], bool]:
    """Return the ranges from `start` to `end` that may be the anchored lines, and whether their tokens are the same.

    Lines with the same tokens come first, those between the same neighbours alone if there are any; else the lines
    that stand between the neighbours now, without blank ones at both ends.
    """
    hashes = hashes[start - 1 : end]
    length = within.lines[1] - within.lines[0]
    same = [at for at in range(len(hashes) - length) if _hash(hashes[at : at + length + 1]) == within.tokens]
    now = {at: _within(hashes, at, at + length, start) for at in same}
    agreeing = {at: (one.before == within.before) + (one.after == within.after) for at, one in now.items()}
    if same:
        best = max(agreeing.values())
        return [now[at].lines for at in same if agreeing[at] == best], True
    above = [at for at, one in enumerate(hashes) if _hash([one]) == within.before]
    below = [at for at, one in enumerate(hashes) if _hash([one]) == within.after]
    ends = {at: next((other for other in below if other > at), at) for at in above}
    between = ([one for one in range(at + 1, last) if hashes[one]] for at, last in ends.items())
    return [(start + those[0], start + those[-1]) for those in between if those], False


def _within(hashes: Sequence[bytes], first: int, last: int, start: int) -> Within:
    above = next((one for one in hashes[first - 1 :: -1] if one), b"") if first else b""
    below = next((one for one in hashes[last + 1 :] if one), b"")
    return Within((start + first, start + last), _hash(hashes[first : last + 1]), _hash([above]), _hash([below]))


def _hash_line(line: bytes) -> bytes:
    """Return the hash of a line's tokens; empty for a blank line."""
    tokens = tokens_of_text(line)
    return xxhash.xxh64_digest(b"\0".join(tokens)) if tokens else b""


def _hash(hashes: Iterable[bytes]) -> str:
    return xxhash.xxh64_hexdigest(b"".join(hashes))
