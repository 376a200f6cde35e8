"""A REF has one form, and a path in it is relative to the current folder, as git's are."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.identity.keys import generate_key, mint_mark
from birthmark.identity.semantic_ids import SemanticId
from birthmark.queries.ref_forms import (
    ChunkUidRef,
    KeyRef,
    LinesRef,
    MarkRef,
    NamedRef,
    NameRef,
    PatternRef,
    Ref,
    SemanticIdRef,
    parse_ref,
)

KEY = "rust:method:process:MyStruct:__src_lib_rs:T1706284800"
UID = f"ck64:v1:repo:a:b.md#seg:segu:v1:{'0' * 16}:1-2:{'a' * 16}:{'b' * 16}:ord2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bm-7k3q9w2m4x8p", MarkRef("bm-7k3q9w2m4x8p")),
        (" BM-7K3Q9W2M4XOL ", MarkRef("bm-7k3q9w2m4x01")),
        ("bm-not", NameRef("bm-not")),
        (KEY, KeyRef(KEY)),
        ("python:fn:f:__a_py:10-50", LinesRef("python:fn:f:__a_py", 10, 50)),
        (UID, ChunkUidRef(UID, "a:b.md")),
        ("a.py->FUNCTION->f[in:global]", SemanticIdRef("a.py->FUNCTION->f[in:global]")),
        ("a.py->FUNCTION->std::f*[in:global]", SemanticIdRef("a.py->FUNCTION->std::f*[in:global]")),
        ("EXTERNAL_MODULE->lodash", SemanticIdRef("EXTERNAL_MODULE->lodash")),
        ("api/**::*Controller.*", PatternRef("api/**", "*Controller.*")),
        ("::*Controller", PatternRef("", "*Controller")),
        ("a.py::Class.method", NamedRef("a.py", "Class.method")),
        ("a.h::std::vector", NamedRef("a.h", "std::vector")),
        (":/a.py::f", NamedRef(":/a.py", "f")),
        ("a.py:3", LinesRef("a.py", 3, 3)),
        ("a.py:3-9", LinesRef("a.py", 3, 9)),
        ("C:a.py:3", LinesRef("C:a.py", 3, 3)),
        ("a\nb.py:3", LinesRef("a\nb.py", 3, 3)),
        ("a.py:" + "9" * 2000, NameRef("a.py:" + "9" * 2000)),
        ("Class.method", NameRef("Class.method")),
        ("::f", NameRef("::f")),
        ("operator*", NameRef("operator*")),
        ("", NameRef("")),
    ],
)
def test_forms(text: str, expected: Ref) -> None:
    assert parse_ref(text) == expected
    assert parse_ref(str(expected)) == expected


@pytest.mark.parametrize(
    ("text", "folder", "expected"),
    [
        ("a.py:3", "", "a.py:3"),
        ("a.py:3", "src/app", "src/app/a.py:3"),
        ("./x//a.py::f", "src", "src/x/a.py::f"),
        ("../a.py:3", "src/app", "src/a.py:3"),
        ("../../a.py::f", "src/app", "a.py::f"),
        (":/a.py:3", "src/app", "a.py:3"),
        (":a.py:3", "src/app", "a.py:3"),
        ("./:a.py:3", "src/app", "src/app/:a.py:3"),
        (":/a.py::f", "src/app", "a.py::f"),
        ("*.py::f", "", "*.py::f"),
        ("*.py::f", "src", "src/**/*.py::f"),
        ("api/**::f*", "src", "src/api/**::f*"),
        ("/api/*::f", "src", "src/api/*::f"),
        ("../api/*::f", "src", "api/*::f"),
        ("::*Controller", "src", "src/**::*Controller"),
        (":/*.py::f", "src", "*.py::f"),
        ("*.py::f", "odd[1]", r"odd\[1]/**/*.py::f"),
        ("Class.method", "src", "Class.method"),
        ("bm-7k3q9w2m4x8p", "src", "bm-7k3q9w2m4x8p"),
        ("a.py->FUNCTION->f[in:global]", "src", "a.py->FUNCTION->f[in:global]"),
        (UID, "src", UID),
    ],
)
def test_paths_are_relative_to_the_current_folder(text: str, folder: str, expected: str) -> None:
    assert str(parse_ref(text).relative_to(folder)) == expected


@pytest.mark.parametrize("text", ["../a.py:3", "x/../../a.py::f", "..:3", ":/../a.py:3", "/a.py:3", "../*::f"])
def test_what_leads_out_is_refused(text: str) -> None:
    with pytest.raises(BirthmarkError, match=r"outside the repository|absolute path"):
        parse_ref(text).relative_to("")


# Names and paths that are as hostile as can be


HOSTILE = st.text(st.sampled_from("ab:/.-> *?[]#%\\T0189\n\tö\udce9,h"), max_size=12)
PATHS = HOSTILE.filter(lambda path: bool(path) and "::" not in path and not path.endswith(":"))


TEXTS = st.text().filter(lambda text: "\0" not in text)


@given(st.one_of(TEXTS, HOSTILE, st.builds("{}::{}".format, HOSTILE, HOSTILE)))
def test_every_text_has_one_form_that_is_itself_again(text: str) -> None:
    ref = parse_ref(text)
    assert parse_ref(str(ref)) == ref
    assert str(ref) == text or isinstance(ref, MarkRef | LinesRef)


@given(PATHS, st.integers(0, 10**9 - 1), st.integers(0, 10**9 - 1))
def test_lines_of_any_path(path: str, first: int, last: int) -> None:
    ref = parse_ref(str(LinesRef(path, first, last)))
    assert ref == LinesRef(path, first, last)


@given(HOSTILE, HOSTILE, st.one_of(st.none(), HOSTILE))
def test_ids_that_were_issued_are_read_as_such(path: str, name: str, parent: str | None) -> None:
    key = generate_key("rust", "fn", name, parent, path, 1_706_284_800)
    assert parse_ref(key) == KeyRef(key)
    assert parse_ref(mint_mark(key)) == MarkRef(mint_mark(key))
    semantic_id = str(SemanticId(path, "FUNCTION", name, parent or "global"))
    assert parse_ref(semantic_id) == SemanticIdRef(semantic_id)


@given(PATHS, st.lists(st.sampled_from(["a", "b[1]", ":", "ö"]), max_size=3))
def test_from_a_folder_git_and_we_mean_the_same_path(path: str, parts: list[str]) -> None:
    """Where a path stays inside, it is what the system would open."""
    folder = "/".join(parts)
    try:
        found = NamedRef(path, "f").relative_to(folder).path
    except BirthmarkError:
        return
    if not path.startswith(":"):
        assert found == posixpath.relpath(posixpath.join("/r", folder, path), "/r")
