"""Traps as data: what a hostile repository brings to be run, to be followed to other places, or to be believed.

A trap is a function that takes the Decoys and writes into the root of a repository. What it brings leaves a file in
`marks` when it is run; what must not be read has SENTINEL as its text.
"""

from __future__ import annotations

import os
import py_compile
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import hostile_files

SENTINEL = "hostile-sentinel-4711"
OWN_NAME = "birthmark"


class Decoys(NamedTuple):
    """A repository, a folder outside of it that is none of its business, and where traps leave their marks."""

    root: Path
    outside: Path
    marks: Path

    @property
    def ignored(self) -> list[Path]:
        """Files in the repository that nothing has to read."""
        return [self.root / name for name in (".env", *UNREAD)]


Trap = Callable[[Decoys], None]

# Python

# Only what is built into the interpreter: an import could be caught by another trap.
CANARY = """
import posix
place = posix.environ[b"HOSTILE_MARKS"] + b"/" + __name__.encode()
posix.close(posix.open(place, posix.O_CREAT | posix.O_WRONLY))
raise ImportError("a module of the repository was imported")
"""
# Imported where they are installed, by libraries or by users' habits.
OPTIONAL = """
    IPython _pydevd_bundle a2wsgi brotli brotlicffi cairo cairocffi chardet cloudpickle cryptography dotenv
    email_validator
    exceptiongroup gevent gunicorn h2 httptools httpx matplotlib numpy orjson pandas pip plotly polars psutil
    pydantic_settings pyodide scipy simplejson sniffio sitecustomize socks toml trio typer ujson usercustomize uvloop
    websockets winloop wsproto yaml zstd
""".split()


@cache
def module_names() -> tuple[str, ...]:
    """Every name that one of our processes may import."""
    names = {*sys.stdlib_module_names, *packages_distributions(), *OPTIONAL, OWN_NAME}
    return tuple(sorted(name for name in names if name.isidentifier()))


def write_modules(decoys: Decoys) -> None:
    for name in module_names():
        (decoys.root / f"{name}.py").write_text(CANARY)


def write_packages(decoys: Decoys) -> None:
    for name in module_names():
        (decoys.root / name).mkdir(exist_ok=True)
        (decoys.root / name / "__init__.py").write_text(CANARY)


def write_compiled(decoys: Decoys) -> None:
    """Python imports a compiled module that has no source beside it."""
    source = decoys.marks.parent / "canary.py"
    source.write_text(CANARY)
    target = source.with_suffix(".pyc")
    py_compile.compile(str(source), str(target), doraise=True)
    compiled = target.read_bytes()
    for name in module_names():
        (decoys.root / f"{name}.pyc").write_bytes(compiled)


MODULE_FORMS: dict[str, Trap] = {"modules": write_modules, "packages": write_packages, "compiled": write_compiled}

ENTRY_GROUPS = """
    console_scripts opentelemetry_context opentelemetry_id_generator opentelemetry_logger_provider
    opentelemetry_meter_provider opentelemetry_propagator opentelemetry_resource_detector opentelemetry_tracer_provider
    pydantic pygments.filters pygments.formatters pygments.lexers pygments.styles pytest11 rich
""".split()


def write_plugins(decoys: Decoys) -> None:
    """What looks like an installed package, with an entry point for every library that loads plugins."""
    folder = decoys.root / "plugin-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    (folder / "RECORD").write_text("")
    (folder / "entry_points.txt").write_text("".join(f"[{group}]\nx = hostile_plugin:x\n" for group in ENTRY_GROUPS))
    (decoys.root / "hostile_plugin.py").write_text(CANARY)


# Programs

PROGRAMS = """
    birthmark cat cmd gcc git git-remote-https hg ifconfig ip ldconfig less lsb_release more open python python3 ray sh
    ssh sysctl uname vi xdg-open xdg-settings
""".split()
HOOKS = """
    fsmonitor-watchman post-checkout post-commit post-index-change post-merge pre-auto-gc pre-commit proc-receive
    reference-transaction update
""".split()
GIT_COMMANDS = """
    alias.cat-file alias.config alias.log alias.rev-list core.alternateRefsCommand core.askPass core.editor
    core.fsmonitor core.gitProxy core.pager core.sshCommand credential.helper diff.external diff.x.command
    diff.x.textconv filter.x.clean filter.x.process filter.x.smudge gpg.program init.templateDir merge.x.driver
    pager.config pager.diff-tree pager.log pager.ls-tree sequence.editor trailer.x.command uploadpack.packObjectsHook
""".split()


def write_program(path: Path, decoys: Decoys) -> None:
    """A program that leaves a mark."""
    path.write_text(f"#!/bin/sh\n: > '{decoys.marks}/program {path.name}'\nexit 1\n")
    path.chmod(0o755)


def write_programs(decoys: Decoys) -> None:
    for name in PROGRAMS:
        if not (decoys.root / name).exists():  # a package may have the name
            write_program(decoys.root / name, decoys)


def configure_git(decoys: Decoys) -> None:
    folder = decoys.root / ".git"
    script = folder / "script"
    write_program(script, decoys)
    (folder / "hooks").mkdir(exist_ok=True)
    for hook in HOOKS:
        write_program(folder / "hooks" / hook, decoys)
    lines = [_git_setting(key, str(script)) for key in GIT_COMMANDS]
    outside = decoys.outside / "gitconfig"
    lines += [_git_setting("include.path", str(outside)), _git_setting("core.hooksPath", str(folder / "hooks"))]
    lines += [
        _git_setting(f"core.{name}", str(decoys.outside / "secret.txt")) for name in ("excludesFile", "attributesFile")
    ]
    lines += [_git_setting("remote.origin.url", f"ext::{script}"), _git_setting("remote.origin.vcs", "x")]
    with (folder / "config").open("a") as config:
        config.writelines(lines)
    (folder / "info").mkdir(exist_ok=True)
    (folder / "info" / "attributes").write_text("* diff=x filter=x merge=x\n")


def _git_setting(key: str, value: str) -> str:
    section, _, name = key.rpartition(".")
    head, _, subsection = section.partition(".")
    return f'[{head} "{subsection}"]\n\t{name} = {value}\n' if subsection else f"[{head}]\n\t{name} = {value}\n"


# Links and special files

LINKS = {
    "linked.py": "secret.py",
    "linked": ".",
    "README": "secret.txt",
    ".mcp.json": "secret.json",
    ".vscode": ".",
    ".codex": ".",
    ".gemini": ".",
    ".cursor": "missing",
}


def link_outside(decoys: Decoys) -> None:
    for name, target in LINKS.items():
        (decoys.root / name).symlink_to(decoys.outside / target)


def write_special_files(decoys: Decoys) -> None:
    for name in ("endless.py", "endless.md"):
        (decoys.root / name).symlink_to("/dev/zero")
    for name in ("waiting.py", "waiting.toml"):
        os.mkfifo(decoys.root / name)


# What others believe

# Read from the working folder by one program or another; the repository's .gitignore has all of them.
UNREAD = """
    .coveragerc .curlrc .gitconfig .igraphrc .netrc .pdbrc .pg_service.conf .pgpass .pip.conf .pypirc .pythonrc.py
    .python_history .rayrc .sqliterc _netrc logging.conf matplotlibrc openssl.cnf pg_service.conf private.key pyvenv.cfg
    ray.yaml ray_bootstrap_config.yaml secrets.toml uvicorn.ini
""".split()
ENVIRONMENT = """
    BIRTHMARK_PAGER={script}
    BIRTHMARK_TRUST=any
    FASTMCP_LOG_LEVEL=DEBUG
    MCP_LOG_LEVEL=DEBUG
    OTEL_PYTHON_CONTEXT=x
    PAGER={script}
    PYDANTIC_PLUGINS=x
    PYTHONPATH={root}
    PYTHONSTARTUP={script}
    RAY_ADDRESS=127.0.0.1:1
    UVICORN_APP=hostile_plugin:x
    UVICORN_RELOAD=true
"""


def write_private_files(decoys: Decoys) -> None:
    settings = ENVIRONMENT.format(root=decoys.root, script=decoys.root / "git").replace("    ", "")
    (decoys.root / ".env").write_text(f"SECRET={SENTINEL}\n{settings}")
    for name in UNREAD:
        (decoys.root / name).write_text(f"{SENTINEL}\n")


SETTINGS = """
[limits]
max_bytes = 1000000000
memory_mb = 1000000
seconds = 80000.0

[mcp]
allow_notes = true

[store]
url = "postgresql://127.0.0.1:9/hostile"

[webhooks.private]
url = "http://127.0.0.1:9/hook"
allow_private = true
secret_env = "BIRTHMARK_SECRET"

[webhooks.cloud]
url = "http://169.254.169.254/latest/meta-data"
format = "slack"

[mail.mailbox]
host = "127.0.0.1"
sender = "a@example.org"
to = ["b@example.org"]
security = "none"
"""


def write_settings(decoys: Decoys) -> None:
    (decoys.root / "birthmark.toml").write_text(SETTINGS)


TRAPS: dict[str, Trap] = {
    "plugins": write_plugins,
    "programs": write_programs,
    "git's configuration": configure_git,
    "links outside": link_outside,
    "special files": write_special_files,
    "private files": write_private_files,
    "settings": write_settings,
}


def count_traps() -> int:
    """Each module, program, hook, setting and file by itself."""
    files = len(PROGRAMS) + len(HOOKS) + len(GIT_COMMANDS) + len(LINKS) + len(UNREAD) + len(ENTRY_GROUPS)
    shared = len(hostile_files.IGNORED) + len(hostile_files.REFUSED)
    return len(module_names()) * len(MODULE_FORMS) + files + shared


# Repositories


class Variant(NamedTuple):
    """A repository with all TRAPS, and with some of those that exclude each other."""

    form: str  # of modules
    ignores_modules: bool = False
    files: tuple[str, ...] = ()  # in tests/hostile_files.py

    @property
    def name(self) -> str:
        return " ".join([self.form, *(["ignored"] if self.ignores_modules else []), *self.files[-1:]])

    @property
    def is_broken(self) -> bool:
        """Return True if the settings cannot be read, so that most commands end with a line about them."""
        return any(name in hostile_files.REFUSED for name in self.files)

    def set(self, decoys: Decoys) -> None:
        ignored = [
            ".env",
            *UNREAD,
            *(["/*.py", "/*/", "/*.pyc", "!/shop.py", "!/use.py"] if self.ignores_modules else []),
        ]
        (decoys.root / ".git" / "info").mkdir(exist_ok=True)
        for rules in (decoys.root / ".gitignore", decoys.root / ".git" / "info" / "exclude"):
            rules.write_text("".join(f"{line}\n" for line in ignored))
        MODULE_FORMS[self.form](decoys)
        for trap in TRAPS.values():
            trap(decoys)
        for name in self.files:
            _path_of(name, decoys).unlink(missing_ok=True)
            (hostile_files.IGNORED | hostile_files.REFUSED)[name](decoys.root)


def _path_of(name: str, decoys: Decoys) -> Path:
    """Return the file that a trap of tests/hostile_files.py replaces."""
    file = name.partition(":")[0]
    return decoys.root / ("birthmark.toml" if file == "settings" else file)


def list_variants() -> list[Variant]:
    """Every trap of tests/hostile_files.py is in one of them; those of different files are combined."""
    by_file: dict[str, list[str]] = {}
    for name in hostile_files.IGNORED:
        by_file.setdefault(name.partition(":")[0], []).append(name)
    n_variants = max(map(len, by_file.values()))
    combined = [tuple(names[number % len(names)] for names in by_file.values()) for number in range(n_variants)]
    combined += [(name,) for name in hostile_files.REFUSED]
    forms = list(MODULE_FORMS)
    return [Variant(forms[number % len(forms)], bool(number // 3 % 2), names) for number, names in enumerate(combined)]
