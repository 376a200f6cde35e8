"""Files that a hostile repository brings to hang a reader, or to exhaust its memory.

Each trap is a function that writes into the root of a repository. The repository can be read in spite of those in
IGNORED; those in REFUSED are an error of one line.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

Trap = Callable[[Path], None]

DEEP_KEY = ".".join(["a"] * 20_000) + " = 1\n"
DEEP_HEADER = "[" + ".".join(["a"] * 20_000) + "]\nb.c = 1\n"
BAD_TOML = {
    "deep key": DEEP_KEY.encode(),
    "deep header": DEEP_HEADER.encode(),
    "deep key in a table": b"a = { " + DEEP_KEY.strip().encode() + b" }\n",
    "deep key of strings": b"'a' . \"b\" . " * 5_000 + b"c = 1\n",
    "deep array": b"a = " + b"[" * 20_000,
    "deep table": b"a = " + b"{a = " * 20_000,
    "many brackets": b"[" * 20_000,
    "huge integer": b"[limits]\nmax_bytes = " + b"9" * 10_000,
    "no UTF-8": b"a = '\xff'\n",
    "impossible date": b"a = 2026-02-31T25:61:61Z\n",
    "NUL": b"a = '\0'\n",
    "too large": b"# " + b"x" * (1 << 21),
}
BAD_JSON = {
    "deep array": b"[" * 100_000,
    "deep object": b'{"a":' * 40_000,
    "huge integer": b'{"name": ' + b"9" * 10_000 + b"}",
    "no UTF-8": b'{"name": "\xff"}',
}
MANIFESTS = ("pyproject.toml", "Cargo.toml", "package.json", "tsconfig.json", "composer.json", "go.mod", "pom.xml")
RULE_FILES = (".gitignore", ".gitattributes", ".birthmarkignore")


def write_bytes(name: str, content: bytes, root: Path) -> None:
    (root / name).write_bytes(content)


def link_to_device(name: str, root: Path) -> None:
    """Reading it never ends."""
    (root / name).symlink_to("/dev/zero")


def make_pipe(name: str, root: Path) -> None:
    """Opening it waits for a writer."""
    os.mkfifo(root / name)


def link_outside(name: str, root: Path) -> None:
    (root / name).symlink_to("/etc/passwd")


def write_defaults(root: Path) -> None:
    """Each section of an INI file has a copy of all defaults."""
    defaults = "".join(f"a{number} = 1\n" for number in range(9_000))
    (root / "setup.cfg").write_text("[DEFAULT]\n" + defaults + "".join(f"[{number}]\n" for number in range(9_000)))


def write_broken_lines(root: Path) -> None:
    """The message of Python's reader grows with each broken line, and is copied each time."""
    (root / "setup.cfg").write_text("[a]\n" + "=\n" * 100_000)


def write_wildcards(root: Path) -> None:
    """Tried one after the other, the ways to match it outlive the reader."""
    folder = root / ("a" * 60)
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "inner"}')
    (root / "package.json").write_text('{"name": "outer", "workspaces": ["' + "**a" * 30 + 'b"]}')


def write_properties(root: Path) -> None:
    """Looked for one by one, properties take the product of their number and that of dependencies."""
    one = "<dependency><groupId>${x}</groupId><artifactId>${x}</artifactId></dependency>"
    own = "<groupId>g</groupId><artifactId>a</artifactId>"
    properties = "<properties>" + "<y/>" * 20_000 + "<x>${x}</x></properties>"
    text = f"<project>{own}{properties}<dependencies>{one * 2_000}</dependencies></project>"
    (root / "pom.xml").write_text(text)


def write_merged_roots(root: Path) -> None:
    """Every folder is merged with every other."""
    roots = ",".join(f'"r{number}"' for number in range(20_000))
    (root / "tsconfig.json").write_text('{"compilerOptions": {"rootDirs": [' + roots + "]}}")


REFUSED: dict[str, Trap] = {
    **{f"settings: {name}": partial(write_bytes, "birthmark.toml", content) for name, content in BAD_TOML.items()},
    "settings: device": partial(link_to_device, "birthmark.toml"),
    "settings: pipe": partial(make_pipe, "birthmark.toml"),
    "settings: link outside": partial(link_outside, "birthmark.toml"),
}
IGNORED: dict[str, Trap] = {
    **{
        f"{name}: {what}": partial(write_bytes, name, content)
        for name, bad in (("pyproject.toml", BAD_TOML), ("Cargo.toml", BAD_TOML), ("package.json", BAD_JSON))
        for what, content in bad.items()
    },
    **{f"{name}: device": partial(link_to_device, name) for name in MANIFESTS + RULE_FILES},
    **{f"{name}: pipe": partial(make_pipe, name) for name in MANIFESTS + RULE_FILES},
    "setup.cfg: defaults": write_defaults,
    "setup.cfg: broken lines": write_broken_lines,
    "package.json: wildcards": write_wildcards,
    "pom.xml: properties": write_properties,
    "tsconfig.json: merged roots": write_merged_roots,
}
