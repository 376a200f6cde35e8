"""Languages are data: found by name, content and attributes, and added by users."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from birthmark.errors import LanguageError
from birthmark.languages.registry import load_registry, read_shebang, user_folders
from birthmark.model import KINDS, Level
from birthmark.syntax.parse import load_grammar, read_syntax
from birthmark.syntax.query import ROLES, TRIVIA

FULL_SUPPORT = "python javascript typescript tsx java go rust c cpp csharp ruby php kotlin swift scala sql".split()
CONTAINERS = "markdown mdx html vue svelte astro jupyter".split()
PARTS = (
    "name body arguments value content documentation owner parent prefix bound receiver source alias language type key"
).split()


def test_every_promised_language_is_here() -> None:
    languages = load_registry().languages
    assert set(FULL_SUPPORT + CONTAINERS) <= set(languages)
    assert all(languages[name].is_container for name in CONTAINERS)
    for name in FULL_SUPPORT:
        assert {"entities.scm", "references.scm", "nodes.scm"} <= set(languages[name].queries)


@pytest.mark.parametrize("name", sorted(load_registry().languages))
def test_every_query_compiles_and_every_pattern_says_what_it_finds(name: str) -> None:
    grammar = load_grammar(load_registry().languages[name])
    query = grammar.query(Level.NODES).query
    for index in range(cast("int", query.capture_count)):
        capture = query.capture_name(index)
        role, _, kind = capture.partition(".")
        if role == "entity":
            assert kind in KINDS
        elif kind:
            assert role in ("scope", "mutation", "segment", "bind", "mention", "mentions")
        elif not role.startswith("_"):
            assert role in (*TRIVIA, *ROLES, *PARTS)


@pytest.mark.parametrize(
    ("path", "content", "attribute", "language"),
    [
        ("a.py", b"", None, "python"),
        ("A.PY", b"", None, "python"),
        ("a.d.ts", b"", None, "typescript"),
        ("a.tsx", b"", None, "tsx"),
        ("a.h", b"", None, "c"),
        ("a.hpp", b"", None, "cpp"),
        ("Rakefile", b"", None, "ruby"),
        ("SConstruct", b"", None, "python"),
        ("tool", b"#!/usr/bin/env python3\n", None, "python"),
        ("tool", b"#!/usr/bin/env -S node --x\n", None, "javascript"),
        ("tool", b"#!/usr/bin/ruby2.7 -w\n", None, "ruby"),
        ("a.h", b"", "C++", "cpp"),
        ("a.inc", b"", "PHP", "php"),
        ("a.py", b"", "no such language", "python"),
        ("a.unknown", b"x", None, None),
        (".py", b"", None, "python"),
        ("Makefile", b"all:\n", None, None),
    ],
)
def test_detection(path: str, content: bytes, attribute: str | None, language: str | None) -> None:
    spec = load_registry().detect(path, attribute, lambda: content)
    assert (spec and spec.name) == language


@pytest.mark.parametrize(
    ("content", "program"),
    [(b"", ""), (b"#!", ""), (b"#! /bin/sh -e\n", "sh"), (b"#!/usr/bin/env A=1 python\n", "python"), (b"#\n", "")],
)
def test_shebang(content: bytes, program: str) -> None:
    assert read_shebang(content) == program


def write_language(folder: Path, name: str, **files: str) -> None:
    (folder / name).mkdir(parents=True)
    for file, text in files.items():
        (folder / name / file.replace("_", ".")).write_text(text)


def test_users_add_a_language(tmp_path: Path) -> None:
    write_language(
        tmp_path,
        "data",
        language_toml='grammar = "tree_sitter_json"\nextensions = [".data"]\n',
        entities_scm="(pair key: (string (string_content) @name) value: (_) @body) @entity.var\n(string) @string\n",
    )
    registry = load_registry((tmp_path,))
    spec = registry.detect("x.data", None, lambda: b"")
    assert spec is not None
    (item,) = read_syntax(b'{"a": 1}', spec).items
    assert item[4].kind == "var"


def test_users_override_one_file_of_a_language(tmp_path: Path) -> None:
    write_language(tmp_path, "python", nodes_scm="(identifier) @property")
    python = load_registry((tmp_path,)).languages["python"]
    assert python.queries["nodes.scm"] == "(identifier) @property"
    assert python.queries["entities.scm"] == load_registry().languages["python"].queries["entities.scm"]


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("grammar = ", "correct or remove"),
        ("extensions = ['.x']", "grammar"),
        ('grammar = "tree_sitter_json"\nsurprise = 1', "surprise"),
        ('grammar = "tree_sitter_json"\nextends = "nothing"', "cannot extend 'nothing'"),
        ('grammar = "tree_sitter_json"\nextends = "bad"', "cannot extend 'bad'"),
        ('grammar = "tree_sitter_json"\nresolves_like = "nothing"', "cannot resolve like 'nothing'"),
        ('grammar = "tree_sitter_json"\n[resolution]\nmodules = "magic"', "Invalid enum value 'magic'"),
        ('grammar = "tree_sitter_json"\n[visibility]\nsurprise = 1', "surprise"),
    ],
)
def test_a_broken_language_says_what_to_do(tmp_path: Path, toml: str, message: str) -> None:
    write_language(tmp_path, "bad", language_toml=toml)
    with pytest.raises(LanguageError, match=message):
        load_registry((tmp_path,))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"language_toml": 'grammar = "no_such_grammar"'}, "install the package of no_such_grammar"),
        ({"language_toml": 'grammar = "tree_sitter_json"', "entities_scm": "(nonsense) @entity.fn"}, "bad query"),
    ],
)
def test_a_broken_grammar_says_what_to_do(tmp_path: Path, files: dict[str, str], message: str) -> None:
    write_language(tmp_path, "bad", **files)
    spec = load_registry((tmp_path,)).languages["bad"]
    with pytest.raises(LanguageError, match=message):
        read_syntax(b"", spec)


def test_user_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("BIRTHMARK_LANGUAGES", "/a:/b")
    assert user_folders() == (tmp_path / "birthmark" / "languages", Path("/a"), Path("/b"))
