"""Detect the language of a file and load its folder.

A language is data: a folder with `language.toml` and `.scm` queries. Built-in folders are next to this module; folders
of the same shape in the user's configuration add languages or override single files.
`package_version` returns the version of a grammar's package.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from birthmark.decoding import prepared
from birthmark.errors import LanguageError
from birthmark.languages.rules import (
    ExpressionRules,
    ImplicitUseRules,
    ResolutionRules,
    TestRules,
    VisibilityRules,
)

QUERY_FILES = ("entities.scm", "references.scm", "bindings.scm", "occurrences.scm", "nodes.scm", "segments.scm")
_MINIFIED_BYTES, _MINIFIED_LINE = 4096, 400  # at least so large, and lines so long on average
_SEE = "see docs/how-to/add-a-language.md"


class LanguageSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `language.toml`, and the texts of the queries."""

    name: str
    grammar: str  # the module that holds the grammar
    symbol: str = "language"  # the function in it that returns the grammar
    family: str = ""  # languages of one family may exchange entities
    resolves_like: str = ""  # a language whose `resolution` applies here as well; the family's by default
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()  # info strings and linguist names
    scip_name: str = ""  # its name in SCIP, if different
    extends: str = ""  # a language whose queries come first
    constructors: tuple[str, ...] = ()  # method names; "<parent>" for the container's own name
    constructor_functions: str = ""  # a function whose name matches makes objects and assigns their attributes
    constant_names: str = ""  # a variable whose name matches is a constant
    external_imports: str = ""  # an import source that matches is another package
    package_keyword: str = ""  # the word before the package or namespace of a file
    line_comments: tuple[str, ...] = ("//",)  # what starts a comment that ends with the line
    names_before_types: bool = False  # in parameters, without a colon between them
    array_mutators: tuple[str, ...] = ()
    object_mutators: tuple[str, ...] = ()
    listeners: tuple[str, ...] = ()
    front_matter: str = ""  # language of a leading --- block
    embedded: dict[str, str] = {}  # segment type -> its default language
    decode: Literal["plain", "json"] = "plain"  # encoding of a segment's text in the file
    has_minifiers: bool = False  # a file of very long lines was written by a program
    has_magics: bool = False  # in a notebook, a line that starts with %, ! or ? is not code
    resolution: ResolutionRules = msgspec.field(default_factory=ResolutionRules)
    visibility: VisibilityRules = VisibilityRules()
    tests: TestRules = TestRules()
    implicit_use: ImplicitUseRules = ImplicitUseRules()
    expressions: tuple[ExpressionRules, ...] = ()  # in the markup of a container
    queries: dict[str, str] = {}

    @property
    def is_container(self) -> bool:
        return "segments.scm" in self.queries or bool(self.front_matter)


class Registry(msgspec.Struct, frozen=True):
    """All languages, with look-up tables."""

    languages: dict[str, LanguageSpec]
    by_extension: dict[str, str]
    by_filename: dict[str, str]
    by_interpreter: dict[str, str]
    by_alias: dict[str, str]
    groups: dict[str, ResolutionRules]  # by `resolves_like`
    manifests: re.Pattern[str]  # of the names of manifests

    def named(self, name: str) -> LanguageSpec | None:
        """Look up a name, alias or info string, ignoring case."""
        name = name.strip().lower()
        return self.languages.get(self.by_alias.get(name, name))

    def of_path(self, path: str) -> LanguageSpec | None:
        file = path.rpartition("/")[2]
        if file in self.by_filename:
            return self.languages[self.by_filename[file]]
        suffixes = file.lower().split(".")
        for i in range(1, len(suffixes)):
            name = self.by_extension.get("." + ".".join(suffixes[i:]))
            if name:
                return self.languages[name]
        return None

    def is_manifest(self, path: str) -> bool:
        """Return True for a file that defines packages or modules."""
        return self.manifests.fullmatch(path.rpartition("/")[2]) is not None

    def family_of(self, language: str) -> str:
        """Return the family of a language; an unsupported one is its own."""
        spec = self.languages.get(language)
        return spec.family if spec else language

    def base_of(self, language: str) -> str:
        """Return the language whose code it uses directly, as Kotlin does with Java; without one, itself."""
        spec = self.languages.get(language)
        return (spec.resolves_like if spec else "") or language

    def resolution_of(self, language: str) -> ResolutionRules:
        """Return the rules of a language's group: the same object for all its languages."""
        spec = self.languages.get(language)
        return self.groups[_group_of(spec)] if spec else ResolutionRules()

    def visibility_of(self, language: str) -> VisibilityRules:
        """Return the rules of the language's family."""
        spec = self.languages.get(self.family_of(language))
        return spec.visibility if spec else VisibilityRules()

    def tests_of(self, language: str) -> TestRules:
        """Return the rules of the language's family."""
        spec = self.languages.get(self.family_of(language))
        return spec.tests if spec else TestRules()

    def implicit_use_of(self, language: str) -> ImplicitUseRules:
        """Return the rules of the language's family."""
        spec = self.languages.get(self.family_of(language))
        return spec.implicit_use if spec else ImplicitUseRules()

    def of_content(self, content: bytes) -> LanguageSpec | None:
        return self.languages.get(self.by_interpreter.get(read_shebang(content), ""))

    def detect(self, path: str, attribute: str | None, load: Callable[[], bytes | None]) -> LanguageSpec | None:
        """Detect by attribute, name or extension; only a file without these is loaded, for its first line."""
        spec = (self.named(attribute) if attribute else None) or self.of_path(path)
        if spec is None and "." not in path.rpartition("/")[2]:
            spec = self.of_content(load() or b"")
        return spec


def is_minified(content: bytes) -> bool:
    """Return True for the output of a minifier: a large source with hardly any line breaks."""
    return len(content) >= _MINIFIED_BYTES and content.count(b"\n") < len(content) // _MINIFIED_LINE


def read_shebang(content: bytes) -> str:
    """Return the bare name of the interpreter: `#!/usr/bin/env -S python3.11 -u` gives `python`."""
    if not content.startswith(b"#!"):
        return ""
    words = content[2:200].split(b"\n", 1)[0].decode("utf-8", "replace").split()
    programs = [word.rsplit("/", 1)[-1] for word in words if not word.startswith("-") and "=" not in word]
    if programs[:1] == ["env"]:
        programs = programs[1:]
    return re.sub(r"[\d.]+$", "", programs[0]) if programs else ""


def user_folders() -> tuple[Path, ...]:
    """Return the folders of user-defined languages: configuration folder, then `$BIRTHMARK_LANGUAGES`."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    named = os.environ.get("BIRTHMARK_LANGUAGES", "")
    return (config / "birthmark" / "languages", *(Path(part) for part in named.split(os.pathsep) if part))


@cache
def load_registry(extra: tuple[Path, ...] | None = None) -> Registry:
    """Read every language folder; a later folder overrides an earlier one file by file."""
    folders = (Path(__file__).parent, *(user_folders() if extra is None else extra))
    layers: dict[str, list[Path]] = {}
    for folder in folders:
        for toml in _find(folder, "*/language.toml"):
            layers.setdefault(toml.parent.name, []).append(toml.parent)
        for scm in _find(folder, "*/*.scm"):
            paths = layers.setdefault(scm.parent.name, [])
            if scm.parent not in paths:
                paths.append(scm.parent)
    queries = {name: _read_queries(paths) for name, paths in layers.items()}
    specs = {
        name: _load_language(name, paths, queries[name])
        for name, paths in sorted(layers.items())
        if any((path / "language.toml").exists() for path in paths)
    }
    for spec in specs.values():
        if spec.resolves_like and spec.resolves_like not in specs:
            raise LanguageError(f"language {spec.name}: cannot resolve like {spec.resolves_like!r}; {_SEE}")
    return _tabulate({name: _inherit(spec, specs, queries) for name, spec in specs.items()})


def _find(folder: Path, pattern: str) -> list[Path]:
    """Find files; none in an unreadable folder, such as that of another user."""
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


def _read_queries(folders: Iterable[Path]) -> dict[str, str]:
    files = (folder / file for folder in folders for file in QUERY_FILES)
    return {file.name: file.read_text("utf-8") for file in files if file.exists()}


def _load_language(name: str, folders: Iterable[Path], queries: dict[str, str]) -> LanguageSpec:
    fields: dict[str, object] = {"name": name, "family": name}
    for folder in folders:
        if (folder / "language.toml").exists():
            fields |= _read_toml(folder / "language.toml")
    try:
        return msgspec.convert(fields | {"queries": queries}, prepared(LanguageSpec))
    except msgspec.ValidationError as error:
        raise LanguageError(f"language {name}: {error}; {_SEE}") from error


def _read_toml(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise LanguageError(f"{path}: {error}; correct or remove that file") from error


def _inherit(spec: LanguageSpec, specs: dict[str, LanguageSpec], known: dict[str, dict[str, str]]) -> LanguageSpec:
    """Prepend the queries of the extended language, and of those that it extends."""
    queries, name, seen = spec.queries, spec.extends, {spec.name}
    while name:
        if name not in known or name in seen:
            raise LanguageError(f"language {spec.name}: cannot extend {name!r}; {_SEE}")
        seen.add(name)
        base = known[name]
        queries = {file: base.get(file, "") + "\n" + queries.get(file, "") for file in base | queries}
        name = specs[name].extends if name in specs else ""
    return msgspec.structs.replace(spec, queries=queries)


def _tabulate(specs: dict[str, LanguageSpec]) -> Registry:
    def table(field: str) -> dict[str, str]:
        return {key: name for name, spec in specs.items() for key in getattr(spec, field)}

    names = {_group_of(spec) for spec in specs.values()}
    groups = {name: specs[name].resolution if name in specs else ResolutionRules() for name in names}
    patterns = sorted(
        {translate(pattern) for rules in groups.values() for pattern in {**rules.manifests, **rules.packages}}
    )
    manifests = re.compile("|".join(patterns or ["(?!)"]))
    by_extension, by_filename = table("extensions"), table("filenames")
    return Registry(specs, by_extension, by_filename, table("interpreters"), table("aliases"), groups, manifests)


def _group_of(spec: LanguageSpec) -> str:
    return spec.resolves_like or spec.family


@cache
def package_version(module: str) -> str:
    """Return the version of an installed package; empty if it is not installed."""
    found = _installed().get(module.lower())
    if found is not None:
        return found
    from importlib.metadata import PackageNotFoundError, version  # a slow import

    try:
        return version(module.replace("_", "-"))
    except PackageNotFoundError:
        return ""


@cache
def _installed() -> dict[str, str]:
    """Return the versions of packages from the names of their folders: `name-version.dist-info`."""
    found: dict[str, str] = {}
    for folder in sys.path:
        with suppress(OSError):
            for entry in os.listdir(folder or "."):
                name, dash, version = entry.removesuffix(".dist-info").rpartition("-")
                if dash and entry.endswith(".dist-info"):
                    found.setdefault(name.lower().replace("-", "_").replace(".", "_"), version)
    return found
