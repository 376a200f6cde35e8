"""Read the project's settings from `birthmark.toml`.

The file is searched for from a folder up to the repository's root; without one the defaults apply.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from birthmark.decoding import prepared
from birthmark.entities.chunks import ChunkSizes
from birthmark.errors import BirthmarkError
from birthmark.vocabulary import WebhookFormat

CONFIG_FILE = "birthmark.toml"
USER_FILE = "settings.toml"
_Settings = TypeVar("_Settings")

# A repository is untrusted. It can only name variables that were set for birthmark, or it could send any secret of the
# environment to a server of its choice.
_Variable = Annotated[str, msgspec.Meta(pattern="^BIRTHMARK_[A-Z0-9_]+$")]
_SinkName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=100)]
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=300)]
_Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
_MailAddress = Annotated[str, msgspec.Meta(pattern=r"^[^\s\x00-\x1f<>,;@]+@[^\s\x00-\x1f<>,;@]+$")]


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits on reading one file."""

    max_bytes: int = 1 << 20
    seconds: float = 20.0
    memory_mb: int = 2048


class IndexSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether questions bring the index up to date first."""

    refresh: bool = True


class McpSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What agents may do beside asking."""

    allow_notes: bool = False


class WebhookSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sink that receives messages by HTTP.

    What signs them is in the environment, never in the file; so is a URL that is a secret itself, as of a chat.
    """

    url: Annotated[str, msgspec.Meta(pattern="^https?://[^@]+$")] | None = None
    secret_env: _Variable | None = None
    url_env: _Variable | None = None
    format: WebhookFormat = WebhookFormat.JSON
    allow_private: bool = False
    seconds: _Seconds = 10.0


class MailSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sink that receives messages by SMTP."""

    host: Annotated[str, msgspec.Meta(min_length=1)]
    sender: _MailAddress
    to: Annotated[tuple[_MailAddress, ...], msgspec.Meta(min_length=1)]
    security: Literal["starttls", "tls", "none"] = "starttls"
    port: _Port | None = None
    user_env: _Variable | None = None
    password_env: _Variable | None = None
    seconds: _Seconds = 30.0


class Settings(msgspec.Struct, frozen=True):
    """The tables that are read here; the file may have others."""

    limits: LimitSettings = LimitSettings()
    index: IndexSettings = IndexSettings()
    mcp: McpSettings = McpSettings()
    chunks: ChunkSizes = ChunkSizes()
    webhooks: dict[_SinkName, WebhookSettings] = {}
    mail: dict[_SinkName, MailSettings] = {}


class StoreSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which store is used where none is named."""

    url: str = ""


class UserSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for all repositories of a user."""

    store: StoreSettings = StoreSettings()


def load_user_settings() -> UserSettings:
    """Read when the file has changed. A home that is not there, or belongs to another user, has none."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = Path(folder, "birthmark", USER_FILE)
    try:
        status = path.stat()
    except OSError:
        return UserSettings()
    version = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    return _read_user_settings(path, version) if stat.S_ISREG(status.st_mode) else UserSettings()


@lru_cache(1)
def _read_user_settings(path: Path, version: tuple[int, ...]) -> UserSettings:
    return _read(path, prepared(UserSettings))


def load_settings(folder: Path) -> Settings:
    path = find_config(folder)
    if path is None:
        return Settings()
    settings = _read(path, prepared(Settings))
    for problem in _problems(settings):
        raise BirthmarkError(f"{path}: {problem}")
    return settings


def _read(path: Path, type_: type[_Settings]) -> _Settings:
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), type_)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError, msgspec.ValidationError) as error:
        raise BirthmarkError(f"{path}: {error}; correct it, see docs/reference/settings.md") from error


def _problems(settings: Settings) -> Iterator[str]:
    """Rules that concern more than one field."""
    if settings.chunks.longest < 1:
        yield "chunks.longest must be at least 1"
    for name in settings.webhooks.keys() & settings.mail.keys():
        yield f"webhooks.{name} and mail.{name} share a name; give one of them another"
    for name, hook in settings.webhooks.items():
        if (hook.url is None) == (hook.url_env is None):
            yield f"webhooks.{name} must have either url or url_env"
        if hook.secret_env is None and hook.format is WebhookFormat.JSON:
            yield f"webhooks.{name} has no secret_env, by which a receiver knows who sent a message"
    for name, mail in settings.mail.items():
        if (mail.user_env is None) != (mail.password_env is None):
            yield f"mail.{name} has user_env or password_env; give both, or none"
        if mail.user_env is not None and mail.security == "none":
            yield f"mail.{name} would send a password in the clear; use security starttls or tls"


def find_config(folder: Path) -> Path | None:
    folder = folder.absolute()
    for parent in (folder, *folder.parents):
        if (parent / CONFIG_FILE).is_file():
            return parent / CONFIG_FILE
        if (parent / ".git").exists():
            return None
    return None
