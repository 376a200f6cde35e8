"""Edits of all files of a worktree that leave the names of everything as they were.

Each takes the root and the paths of files. They know lines and words, and nothing of how Birthmark reads code.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

SLASHES = {".js", ".ts", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".kt", ".scala", ".swift", ".cs"}
HASHES = {".py", ".rb"}
SOURCES = SLASHES | HASHES
WIDTH = 72

_RETURN = re.compile(r"^(\s*return )([\w.]+(?:\([^(),]*\))?(?: [-+*/] [\w.]+)?)(;?)$", re.M)
_FUNCTION = re.compile(r"^(\s*(?:async )?function \w*\()([\w, ]+)(\))", re.M)
_LINE = re.compile(r"^([ \t]*)([^\"'`#/\n]*\(.*, [^\"'`#/\n]*)$", re.M)


def rewrite(root: Path, files: list[str], suffixes: set[str], edit: Callable[[str], str]) -> None:
    """Texts only: what cannot be decoded is left alone."""
    for file in files:
        path = root / file
        if path.suffix not in suffixes or path.is_symlink() or not path.is_file():
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        path.write_bytes(edit(text).encode("utf-8"))


def edit_returns(root: Path, files: list[str]) -> None:
    """What is returned is put into parentheses, where it is short: an edit of many bodies."""
    rewrite(root, files, SOURCES, lambda text: _RETURN.sub(r"\1(\2)\3", text))


def use_carriage_returns(root: Path, files: list[str]) -> None:
    rewrite(root, files, SOURCES, lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"))


def add_licences(root: Path, files: list[str]) -> None:
    """Fifteen lines at the top of every file."""
    for suffixes, comment in ((SLASHES, "//"), (HASHES, "#")):
        header = "".join(f"{comment} Licensed under the terms of the licence, line {n} of 15.\n" for n in range(1, 16))
        rewrite(root, files, suffixes, lambda text, header=header: f"{header}\n{text}")  # type: ignore[misc]


def reformat(root: Path, files: list[str]) -> None:
    """Python by ruff, to narrow lines and single quotes; the rest gets tabs or four spaces, and shorter lines."""
    python = [file for file in files if file.endswith(".py")]
    if python:
        options = ["--isolated", "--config", "line-length = 60", "--config", "format.quote-style = 'single'"]
        command = [str(Path(sys.executable).with_name("ruff")), "format", "-q", *options, *python]
        subprocess.run(command, cwd=root, check=False)
    rewrite(root, files, SLASHES, indent_and_wrap)


def indent_and_wrap(text: str) -> str:
    """Tabs become four spaces, spaces become tabs; lists that are too long go on in the next line."""
    has_tabs = any(line.startswith("\t") for line in text.splitlines())
    units = Counter(len(line) - len(line.lstrip(" ")) for line in text.splitlines() if line.startswith("  "))
    unit = " " * (2 if any(width % 4 for width in units) else 4)
    old, new = ("\t", "    ") if has_tabs else (unit, "\t")
    lines = []
    for line in text.split("\n"):
        rest, depth = line, 0
        while rest.startswith(old):
            rest, depth = rest[len(old) :], depth + 1
        lines.append(new * depth + rest)
    return _LINE.sub(_wrap, "\n".join(lines))


def _wrap(match: re.Match[str]) -> str:
    line = match[0]
    if len(line) <= WIDTH or line.endswith("\\"):
        return line
    at = line.rfind(", ", line.index("("), WIDTH)
    return line if at < 0 else f"{line[: at + 1]}\n{match[1]}    {line[at + 2 :]}"


def move_folder(root: Path, files: list[str]) -> Callable[[str], str]:
    """The outermost folder with most sources goes into the folder `moved`; gives the new path of a file."""
    tops = Counter(file.partition("/")[0] for file in files if Path(file).suffix in SOURCES and "/" in file)
    top = tops.most_common(1)[0][0]
    (root / "moved").mkdir()
    shutil.move(root / top, root / "moved" / top)
    return lambda path: f"moved/{path}" if path.startswith(f"{top}/") else path


def turn_into_typescript(root: Path, files: list[str]) -> None:
    """Files are renamed, and parameters of functions are annotated."""
    sources = [file for file in files if file.endswith(".js")]
    rewrite(root, sources, {".js"}, lambda text: _FUNCTION.sub(_annotate, text))
    for file in sources:
        (root / file).rename((root / file).with_suffix(".ts"))


def _annotate(match: re.Match[str]) -> str:
    parameters = [f"{name.strip()}: any" for name in match[2].split(",") if name.strip()]
    return f"{match[1]}{', '.join(parameters)}{match[3]}"


# Java turned into Kotlin, roughly, and left beside it

_TYPE = r"(?:[A-Z][\w.]*(?:<[\w.<>?, ]*>)?|int|long|boolean|char|byte|short|double|float)"
_HEAD = r"\(([^()\n]*)\)(?: throws [\w., ]+)? \{"
_KOTLIN = tuple(
    (re.compile(pattern, re.M), replacement)
    for pattern, replacement in (
        (r"^ *@\w+(\(.*\))?\n", ""),
        (r"\b(?:public|protected|final|static|abstract|synchronized|transient|volatile)\s+(?=[\w@<])", ""),
        (rf"({_TYPE})(?:\[\]|\.\.\.)", r"Array<\1>"),
        (rf"^( +)(private )?(?:<[^>\n]*> )?(?:{_TYPE}|void) (\w+){_HEAD}", r"\1\2fun \3(\4) {"),
        (rf"^(    )(private )?[A-Z]\w*{_HEAD}", r"\1\2constructor(\3) {"),
        (rf"\b({_TYPE}) (\w+)(?=[,)])", r"\2: \1"),
        (rf"^( +)(private )?({_TYPE}) (\w+)( = |;)", r"\1\2val \4: \3\5"),
        (rf"\bfor \(({_TYPE}) (\w+) : ", r"for (\2 in "),
        (rf"\({_TYPE}\) (?=\w)", ""),
        (r" (?:extends|implements) [\w<>, .]+(?= \{)", ""),
        (r"\bnew ", ""),
        (r" instanceof ", " is "),
        (r";$", ""),
    )
)


def add_kotlin(root: Path, files: list[str]) -> None:
    """Every Java class is marked as deprecated, and a Kotlin file with the same code is put beside it."""
    for file in files:
        path = root / file
        if path.suffix == ".java" and path.name != "package-info.java":
            text = kotlin = path.read_text("utf-8")
            for pattern, replacement in _KOTLIN:
                kotlin = pattern.sub(replacement, kotlin)
            path.with_suffix(".kt").write_text(kotlin, "utf-8")
            path.write_text(
                re.sub(r"^(?=public (?:final |abstract )?class )", "@Deprecated\n", text, count=1, flags=re.M)
            )
