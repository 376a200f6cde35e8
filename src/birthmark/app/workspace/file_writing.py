"""Replace a file wholly or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from birthmark.errors import BirthmarkError


def replace_file(path: Path, content: bytes) -> None:
    """Its permissions stay; a new file can be read by all."""
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which becomes that of the path at the end; if that is not reached, nothing has changed."""
    name = None
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=".birthmark-", delete=False) as file:
            name = file.name
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; nothing was changed") from error
    finally:
        if name is not None:
            with suppress(OSError):
                os.unlink(name)
