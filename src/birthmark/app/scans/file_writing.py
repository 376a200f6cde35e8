"""Replace a file wholly or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from birthmark.errors import BirthmarkError


def replace_file(path: Path, content: bytes) -> None:
    """Its permissions stay; a new file can be read by all."""
    name = None
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=".birthmark-", delete=False) as file:
            name = file.name
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError as error:
        if name is not None:
            with suppress(OSError):
                os.unlink(name)
        raise BirthmarkError(f"{path}: {error.strerror}; nothing was changed") from error
