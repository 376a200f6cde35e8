"""Files that are written only to be shown, in a folder of their own that is removed when the server ends."""

from __future__ import annotations

import shutil
import tempfile
from functools import cached_property
from pathlib import Path, PurePosixPath


class ShownFiles:
    """Editors open them like any file; they are read-only, because nothing that is written there is kept."""

    @cached_property
    def _folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="birthmark-"))

    def write(self, name: str, content: bytes) -> Path:
        """A name that leads out of the folder is taken for its last part."""
        parts = PurePosixPath(name).parts
        is_inside = not PurePosixPath(name).is_absolute() and ".." not in parts
        file = self._folder / (name if is_inside else PurePosixPath(name).name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(content)
        file.chmod(0o400)
        return file

    def close(self) -> None:
        if "_folder" in self.__dict__:
            shutil.rmtree(self._folder, ignore_errors=True)
