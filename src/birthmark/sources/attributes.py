"""Read what `.gitattributes` says of a file's language.

The files from the repository's root down to the file's folder count, the last word wins, as in git.
"""

from __future__ import annotations

from pathlib import Path

from pathspec.patterns.gitignore.basic import GitIgnoreBasicPattern

_LANGUAGE = "linguist-language="
_MAX_BYTES = 1 << 20


def linguist_language(path: Path) -> str | None:
    """The language a file is mapped to, if any."""
    path = path.absolute()
    language = None
    for folder in _folders_from_root(path.parent):
        for pattern, named in _read_mappings(folder / ".gitattributes"):
            if pattern.match_file(path.relative_to(folder).as_posix()):
                language = named
    return language


def _folders_from_root(folder: Path) -> list[Path]:
    """The folders from the repository's root down; outside a repository only the file's own."""
    chain = [folder, *folder.parents]
    for depth, parent in enumerate(chain):
        if (parent / ".git").exists():
            return chain[depth::-1]
    return [folder]


def _read_mappings(path: Path) -> list[tuple[GitIgnoreBasicPattern, str]]:
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    mappings = []
    for line in text.splitlines():
        words = line.split()
        if len(words) < 2 or words[0].startswith("#"):
            continue
        for word in words[1:]:
            if word.startswith(_LANGUAGE):
                language = word.removeprefix(_LANGUAGE).strip("\"'")
                mappings.append((GitIgnoreBasicPattern(_unquote(words[0])), language))
    return mappings


def _unquote(pattern: str) -> str:
    return pattern[1:-1] if len(pattern) > 1 and pattern[0] == pattern[-1] == '"' else pattern
