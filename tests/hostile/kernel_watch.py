"""Ask the kernel which files are opened, by whatever program.

The audit hook of Python does not see what git, SQLite or an extension module opens.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

_OPENED, _MODIFIED, _CREATED = 0x20, 0x2, 0x100
_HEAD = struct.Struct("iIII")


class KernelWatch:
    """Lists the files and folders that were opened, changed or created while it is entered."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.opened: list[str] = []
        self._paths = list(paths)
        self._names: dict[int, Path] = {}

    def __enter__(self) -> Self:
        library = ctypes.CDLL(None, use_errno=True)
        self._descriptor = library.inotify_init1(os.O_NONBLOCK)
        for path in self._paths:
            number = library.inotify_add_watch(self._descriptor, os.fsencode(path), _OPENED | _MODIFIED | _CREATED)
            assert number >= 0, os.strerror(ctypes.get_errno())
            self._names[number] = path
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            while data := os.read(self._descriptor, 1 << 16):
                self._take(data)
        except BlockingIOError:
            pass
        finally:
            os.close(self._descriptor)

    def _take(self, data: bytes) -> None:
        while data:
            number, _, _, n_bytes = _HEAD.unpack_from(data)
            name = data[_HEAD.size : _HEAD.size + n_bytes].rstrip(b"\0")
            self.opened.append(str(self._names[number] / os.fsdecode(name)))
            data = data[_HEAD.size + n_bytes :]
