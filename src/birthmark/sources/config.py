"""Read the project's settings from `birthmark.toml`.

The file is looked for from a folder upwards to the repository's root; without one the defaults hold.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from birthmark.entities.chunks import ChunkSizes
from birthmark.errors import BirthmarkError

CONFIG_FILE = "birthmark.toml"


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one file may cost."""

    max_bytes: int = 1 << 20
    seconds: float = 20.0
    memory_mb: int = 2048


class Settings(msgspec.Struct, frozen=True):
    """Tables of other rooms may stand in the file as well."""

    limits: LimitSettings = LimitSettings()
    chunks: ChunkSizes = ChunkSizes()


def load_settings(folder: Path) -> Settings:
    path = find_config(folder)
    if path is None:
        return Settings()
    try:
        settings = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Settings)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError, msgspec.ValidationError) as error:
        raise BirthmarkError(f"{path}: {error}; mend that line, docs/reference/settings.md has them all") from error
    if settings.chunks.longest < 1:
        raise BirthmarkError(f"{path}: chunks.longest must be at least 1")
    return settings


def find_config(folder: Path) -> Path | None:
    folder = folder.absolute()
    for parent in (folder, *folder.parents):
        if (parent / CONFIG_FILE).is_file():
            return parent / CONFIG_FILE
        if (parent / ".git").exists():
            return None
    return None
