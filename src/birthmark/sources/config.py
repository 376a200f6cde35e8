"""Read the settings of the machine, of the user, and of a repository (`birthmark.toml`).

The file of a repository is searched for from a folder up to its root. It is not trusted: `REPOSITORY_RULES` lists what
it may set; the rest is refused unless the user trusts the file (`trust.py`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec

from birthmark.decoding import MOST_TOML, prepared, read_toml
from birthmark.entities.chunks import ChunkSizes
from birthmark.errors import BirthmarkError
from birthmark.sources.git.refs import find_root
from birthmark.sources.trust import digest_of, is_trusted, user_folder
from birthmark.sources.worktree import read_file
from birthmark.vocabulary import WebhookFormat

CONFIG_FILE = "birthmark.toml"
USER_FILE = "settings.toml"
MACHINE_FILE = Path("/etc/birthmark/settings.toml")
_SINKS = frozenset({"webhooks", "mail"})  # tables of tables, by names that the file chooses
_TABLES = frozenset({*_SINKS, "limits", "index", "mcp", "chunks"})
_MAX_BYTES = 2 * MOST_TOML
_Settings = TypeVar("_Settings")

# An untrusted repository can only name variables that were set for birthmark; otherwise it could send any secret of
# the environment to a server of its choice.
_Variable = Annotated[str, msgspec.Meta(pattern="^BIRTHMARK_[A-Z0-9_]+$")]
_SinkName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=100)]
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=300)]
_Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
_MailAddress = Annotated[str, msgspec.Meta(pattern=r"^[^\s\x00-\x1f<>,;@]+@[^\s\x00-\x1f<>,;@]+$")]


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits on reading one file."""

    max_bytes: Annotated[int, msgspec.Meta(ge=1, le=1 << 31)] = 1 << 20
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 20.0
    memory_mb: Annotated[int, msgspec.Meta(ge=1, le=1 << 20)] = 2048


class IndexSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the index: questions bring it up to date first, and code of others is indexed."""

    refresh: bool = True
    third_party: bool = False


class McpSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Permissions of agents beyond questions."""

    allow_notes: bool = False


class WebhookSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sink that receives messages by HTTP.

    Secrets for signatures are in the environment, never in the file; so are secret URLs, as of a chat.
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
    """Tables of settings; the file of a repository may have others.

    `refused` names settings that a repository asked for and may not set, see `REPOSITORY_RULES`.
    """

    limits: LimitSettings = LimitSettings()
    index: IndexSettings = IndexSettings()
    mcp: McpSettings = McpSettings()
    chunks: ChunkSizes = ChunkSizes()
    webhooks: dict[_SinkName, WebhookSettings] = {}
    mail: dict[_SinkName, MailSettings] = {}
    refused: tuple[str, ...] = ()


class StoreSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The default store."""

    url: str = ""


class UserSettings(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings for all repositories of a user or a machine."""

    store: StoreSettings = StoreSettings()


class TrustRequest(NamedTuple):
    """A `birthmark.toml`, and the settings that it asks for beyond its rights, with their values."""

    path: Path
    text: str
    is_trusted: bool
    requests: dict[str, str]

    @property
    def digest(self) -> str:
        return digest_of(self.text)


# Settings that a repository may change; a trusted file may change all but the store.
REPOSITORY_RULES = {
    "limits": "lower",  # than the user's own
    "index": "any",
    "chunks": "any",
    "mcp": "none",  # lets agents write
    "webhooks": "none",
    "mail": "none",
    "store": "never",
}


def load_user_settings() -> UserSettings:
    """Read the settings of the machine and of the user, who takes precedence, if they have changed."""
    files = (MACHINE_FILE, user_folder() / USER_FILE)
    return _read_own(tuple((path, version) for path in files if (version := _version_of(path)) is not None))


def _version_of(path: Path) -> tuple[int, ...] | None:
    """Return the status of a file; None if there is none, or its folder is missing or not readable."""
    try:
        status = path.stat()
    except OSError:
        return None
    is_file = stat.S_ISREG(status.st_mode)
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns) if is_file else None


@lru_cache(4)
def _read_own(files: tuple[tuple[Path, tuple[int, ...]], ...]) -> UserSettings:
    tables: dict[str, dict[str, Any]] = {}
    for path, _ in files:
        raw, _ = _read(path, _read_text(path), UserSettings)
        for name, table in raw.items():
            tables[name] = {**tables.get(name, {}), **table}
    return msgspec.convert(tables, prepared(UserSettings))


def load_settings(folder: Path) -> Settings:
    """Load the settings of the machine and the user, with what the repository of a folder may add."""
    own, path = load_user_settings(), find_config(folder)
    if path is None:
        return own
    _check_link(path)
    return _combine(own, path, _read_text(path))[0]


def trust_request(folder: Path) -> TrustRequest:
    """Return the settings for which the file of a repository needs trust."""
    path = find_config(folder)
    if path is None:
        raise BirthmarkError(f"{folder}: there is no {CONFIG_FILE} here, so there is nothing to trust")
    _check_link(path)
    text = _read_text(path)
    _, asked, refused = _combine(load_user_settings(), path, text, trusts=False)
    return TrustRequest(path, text, is_trusted(path, text), {name: _value_of(asked, name) for name in refused})


def _combine(
    own: UserSettings, path: Path, text: str, *, trusts: bool | None = None
) -> tuple[Settings, Settings, tuple[str, ...]]:
    """Return the effective settings, the requested ones, and the names of refused ones."""
    raw, asked = _read(path, text, Settings)
    given = {name: table for name, table in raw.items() if name in _TABLES}
    refused = tuple(_refused(own, given))
    if refused and (is_trusted(path, text) if trusts is None else trusts):
        refused = ()
    allowed: dict[str, Any] = {}
    for name, table in given.items():
        kept = {field: value for field, value in table.items() if f"{name}.{field}" not in refused}
        before = msgspec.to_builtins(getattr(own, name))
        allowed[name] = {**kept, **before} if name in _SINKS else {**before, **kept}
    values = {name: allowed.get(name, msgspec.to_builtins(getattr(own, name))) for name in _TABLES}
    settings = msgspec.structs.replace(msgspec.convert(values, prepared(Settings)), refused=refused)
    for problem in (*_problems(asked), *_problems(settings)):
        raise BirthmarkError(f"{path}: {problem}")
    return settings, asked, refused


def _refused(own: UserSettings, given: dict[str, dict[str, Any]]) -> Iterator[str]:
    for name, table in given.items():
        rule, mine = REPOSITORY_RULES[name], getattr(own, name)
        for field, value in table.items():
            is_known = field in mine if name in _SINKS else getattr(mine, field) == value
            is_lower = rule == "lower" and value <= getattr(mine, field)
            if rule != "any" and not is_lower and not is_known:
                yield f"{name}.{field}"


def _value_of(asked: Settings, name: str) -> str:
    table, _, field = name.partition(".")
    value = getattr(asked, table)
    found = value[field] if table in _SINKS else getattr(value, field)
    if isinstance(found, WebhookSettings):
        private = ", private addresses allowed" if found.allow_private else ""
        return f"{found.url or f'the address in {found.url_env}'}{private}"
    if isinstance(found, MailSettings):
        return f"{found.host}, to {', '.join(found.to)}"
    return f"{found} (yours: {getattr(getattr(load_user_settings(), table), field)})"


def _read(path: Path, text: str, type_: type[_Settings]) -> tuple[dict[str, Any], _Settings]:
    """Parse a file, and return it as tables and as settings."""
    try:
        raw = read_toml(text)
        if "refused" in raw:
            raise ValueError("`refused` is no setting")
        return raw, msgspec.convert(raw, prepared(type_))
    except ValueError as error:  # the base of all errors of `read_toml` and `msgspec`
        raise BirthmarkError(f"{path}: {error}; correct it, see docs/reference/settings.md") from error


def read_team_text(path: Path) -> str:
    """Return the text of a repository's `birthmark.toml`; empty if there is none."""
    if not os.path.lexists(path):
        return ""
    _check_link(path)
    return _read_text(path)


def _read_text(path: Path) -> str:
    content = read_file(path, _MAX_BYTES, "a file with settings", "split or shorten it")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BirthmarkError(f"{path}: {error}; save it as UTF-8") from error


def _check_link(path: Path) -> None:
    """Refuse a link out of the repository, because messages would reveal the contents of other files."""
    if not path.is_symlink():
        return
    root = find_root(path.parent) or path.parent
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
        raise BirthmarkError(
            f"{path}: is a link to a file outside of the repository; replace it by a copy of that file"
        )


def _problems(settings: Settings) -> Iterator[str]:
    """Check rules that concern more than one field."""
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
        if os.path.lexists(parent / CONFIG_FILE):
            return parent / CONFIG_FILE
        if (parent / ".git").exists():
            return None
    return None
