"""Kinds of damage as data: a file under `.birthmark`, and what happens to it."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

Harm = Callable[[bytes], bytes]
_PAGE = 4096


class Damage(NamedTuple):
    """What happens to a file; `is_short` is part of every run of the tests."""

    file: str
    harm: str
    is_short: bool = False

    @property
    def name(self) -> str:
        return f"{self.file} {self.harm}"

    def apply(self, home: Path) -> None:
        path = home / self.file
        if self.harm in _CONTENTS:
            path.write_bytes(_CONTENTS[self.harm](path.read_bytes() if path.exists() else b""))
        else:
            _FILES[self.harm](path)


def _flip(share: float) -> Harm:
    def flip(content: bytes) -> bytes:
        at = min(int(len(content) * share), len(content) - 1)
        return content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :] if content else b"\x10"

    return flip


def _overwrite(share: float, with_bytes: Callable[[int], bytes], n_bytes: int) -> Harm:
    def overwrite(content: bytes) -> bytes:
        at = max(0, min(int(len(content) * share), len(content) - n_bytes))
        return content[:at] + with_bytes(n_bytes) + content[at + n_bytes :]

    return overwrite


def _random(n_bytes: int) -> bytes:
    return random.Random(n_bytes).randbytes(n_bytes)  # noqa: S311 (the same damage in every run)


_CONTENTS: dict[str, Harm] = {
    "emptied": lambda content: b"",
    "cut in half": lambda content: content[: len(content) // 2],
    "cut by a byte": lambda content: content[:-1],
    "flipped at the start": _flip(0),
    "flipped in the middle": _flip(0.5),
    "flipped at the end": _flip(1),
    "random bytes at the start": _overwrite(0, _random, 200),
    "random bytes in the middle": _overwrite(0.5, _random, 200),
    "random bytes at the end": _overwrite(1, _random, 200),
    **{f"random bytes at {tenth}0 %": _overwrite(tenth / 10, _random, 200) for tenth in range(1, 10)},
    "a page of zeros": _overwrite(0.5, bytes, _PAGE),
    "tail doubled": lambda content: content + content[len(content) // 2 :],
    "halves swapped": lambda content: content[len(content) // 2 :] + content[: len(content) // 2],
    "replaced": lambda content: _random(len(content) or 100),
}


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _make_folder(path: Path) -> None:
    _remove(path)
    path.mkdir()


def _make_pipe(path: Path) -> None:
    _remove(path)
    os.mkfifo(path)


_FILES: dict[str, Callable[[Path], None]] = {
    "missing": _remove,
    "a folder": _make_folder,
    "a pipe": _make_pipe,
    "read-only": lambda path: path.chmod(0o444),
}
_COMMON = [harm for harm in _CONTENTS if "%" not in harm]
_STORES = ("index.db", "ledger.log", "subscriptions.db", "subscriptions.log")
_SHORT = {
    *(("index.db", harm) for harm in ("emptied", "flipped in the middle", "random bytes in the middle", "a pipe")),
    *(("ledger.log", harm) for harm in ("flipped in the middle", "halves swapped", "a folder")),
    *(("subscriptions.db", harm) for harm in ("replaced", "missing", "random bytes in the middle")),
    *(("subscriptions.log", harm) for harm in ("cut in half", "a pipe")),
}
DAMAGES = [
    *(Damage(file, harm, (file, harm) in _SHORT) for file in _STORES for harm in (*_COMMON, *_FILES)),
    *(Damage("index.db", f"random bytes at {tenth}0 %") for tenth in range(1, 10)),
    *(Damage("index.db-wal", harm) for harm in ("emptied", "replaced", "missing")),
    *(Damage("lock", harm) for harm in ("emptied", "replaced", "missing", "a folder", "a pipe")),
    *(Damage(".gitignore", harm) for harm in ("emptied", "missing")),
]
