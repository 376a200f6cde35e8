"""Seed 002: semantic ids; its thirty-three tests by their names there."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.extraction.model import FileNodes
from birthmark.extraction.read import read_source
from birthmark.identity.semantic_ids import SemanticId, base_id, content_hash, parse_semantic_id, resolve_ids
from birthmark.languages.registry import load_registry
from reading import read

CASES = Path(__file__).parents[1] / "cases"


def js(source: str) -> FileNodes:
    return read("javascript", source, "a.js")


def ids(reading: FileNodes, type_: str, name: str | None = None) -> list[str]:
    nodes = zip(reading.nodes, reading.semantic_ids, strict=True)
    return [id_ for node, id_ in nodes if node.type == type_ and name in (None, node.name)]


def parent_of(source: str, name: str = "target") -> str:
    (parent,) = [node.named_parent for node in js(source).nodes if node.type == "CALL" and node.name == name]
    return parent


# Format and parsing


def test_compute_v2_basic() -> None:
    assert base_id("a.js", "FUNCTION", "foo", "global") == "a.js->FUNCTION->foo[in:global]"


def test_compute_v2_with_hash() -> None:
    assert str(SemanticId("a.js", "CALL", "f", content_hash="a3f2")) == "a.js->CALL->f[in:global,h:a3f2]"


def test_compute_v2_with_counter() -> None:
    assert str(SemanticId("a.js", "CALL", "f", "global", "a3f2", 0)) == "a.js->CALL->f[in:global,h:a3f2]#0"


def test_parse_v2_basic() -> None:
    parts = SemanticId("a.js", "FUNCTION", "foo")
    assert parse_semantic_id(str(parts)) == parts


def test_parse_v2_with_hash() -> None:
    parsed = parse_semantic_id("a.js->CALL->f[in:g,h:a3f2]")
    assert parsed is not None
    assert (parsed.named_parent, parsed.content_hash) == ("g", "a3f2")


def test_parse_v2_with_counter() -> None:
    parsed = parse_semantic_id("a.js->CALL->f[in:g,h:a3f2]#12")
    assert parsed is not None
    assert parsed.counter == 12


def test_parse_v2_external_module() -> None:
    assert parse_semantic_id("EXTERNAL_MODULE->lodash") == SemanticId("", "EXTERNAL_MODULE", "lodash")


def test_parse_v2_parameter() -> None:
    parsed = parse_semantic_id("a.js->PARAMETER->x#0[in:foo]")
    assert parsed is not None
    assert (parsed.name, parsed.position, parsed.counter) == ("x", 0, None)


# Named parent


def test_named_parent_global() -> None:
    assert parent_of("target();") == "global"


def test_named_parent_function() -> None:
    assert parent_of("function f() { target(); }") == "f"


def test_named_parent_class() -> None:
    assert parent_of("class A { x = target(); }") == "A"


def test_named_parent_method() -> None:
    assert parent_of("class A { m() { target(); } }") == "m"


def test_named_parent_skip_anonymous() -> None:
    assert parent_of("function f() { g(function () { target(); }); }") == "f"


def test_named_parent_skip_arrow_anonymous() -> None:
    assert parent_of("function f() { g(() => target()); g(() => 1); }") == "f"


def test_named_parent_deep_nesting() -> None:
    assert parent_of("function f() { if (a) { for (const x of y) { g(() => { target(); }); } } }") == "f"
    assert parent_of("function f() { const inner = () => { if (a) { target(); } }; }") == "inner"


# Content hash


def hashes(source: str, type_: str, name: str) -> list[str | None]:
    parsed = [parse_semantic_id(id_) for id_ in ids(js(source), type_, name)]
    return [parts.content_hash for parts in parsed if parts]


def test_content_hash_call_arguments() -> None:
    first, second = hashes("f(1); f(2);", "CALL", "f")
    assert first != second


def test_content_hash_function_body() -> None:
    first, second = hashes("g(() => { a(); }); g(() => { b(); });", "FUNCTION", "anonymous")
    assert first != second


def test_content_hash_initializer() -> None:
    first, second = hashes("function f() { { let x = 1; } { let x = 2; } }", "VARIABLE", "x")
    assert first != second


def test_content_hash_null_init() -> None:
    first, second = hashes("function f() { { let x; } { let x = 2; } }", "VARIABLE", "x")
    assert first == content_hash(None) == "0000"
    assert second != "0000"


def test_content_hash_position_independent() -> None:
    assert hashes("f(1); f(2);", "CALL", "f") == hashes("\n\n  f( 1 );\n\n\nf(2) // why\n", "CALL", "f")


# Collision resolution


def resolve(*contents: str, base: str = "a.js->CALL->f[in:global]") -> list[str]:
    return resolve_ids([base] * len(contents), lambda index: contents[index])[0]


def test_no_collision_unique_names() -> None:
    bases = [f"a.js->CALL->f{i}[in:global]" for i in range(9)]
    assert resolve_ids(bases, lambda _: "")[0] == bases


def test_collision_same_name_different_hash() -> None:
    first, second = ids(js("console.log(1); console.log(2);"), "CALL", "console.log")
    assert first != second
    assert all(",h:" in id_ and "#" not in id_ for id_ in (first, second))


def test_collision_same_name_same_hash() -> None:
    first, second = ids(js("f(1); f(1);"), "CALL", "f")
    assert first.endswith("]#0")
    assert second == first[:-1] + "1"


def test_collision_first_promoted() -> None:
    assert all(",h:" in id_ for id_ in resolve("a", "b"))


def test_collision_three_way() -> None:
    a, b, again = resolve("a", "b", "a")
    assert a == again[:-1] + "0"
    assert again.endswith("#1")
    assert not b.endswith("#0")


def test_contents_that_share_four_digits_widen_to_eight() -> None:
    """Design: a counter is for identical contents only."""
    by_digits: dict[str, str] = {}
    number = 0
    while (twin := by_digits.setdefault(content_hash(str(number)), str(number))) == str(number):
        number += 1
    first, second, third = resolve(twin, str(number), twin)
    assert first.split(",h:")[1] == content_hash(twin, 8) + "]#0"
    assert second.split(",h:")[1] == content_hash(str(number), 8) + "]"
    assert third.endswith("#1")


# Stability


BEFORE = """\
function handler() {
  if (ready) {
    function helper() {}
    fetch(url);
  }
}
"""


def test_add_lines_above_no_change() -> None:
    assert js(BEFORE).semantic_ids == js("\n\n// why\n\n" + BEFORE).semantic_ids


def test_add_if_block_no_cascade() -> None:
    after = BEFORE.replace("  if (ready) {", "  if (other) { stop(); }\n  if (ready) {")
    before_ids = {id_ for id_ in js(BEFORE).semantic_ids if "SCOPE->if" not in id_}
    # The function's own body is its content; the two ifs now share a base. Nothing else changes.
    assert before_ids <= set(js(after).semantic_ids)


def test_rename_parent_changes_children() -> None:
    assert ids(js(BEFORE), "CALL") == ["a.js->CALL->fetch[in:handler]"]
    assert ids(js(BEFORE.replace("handler", "other")), "CALL") == ["a.js->CALL->fetch[in:other]"]


def test_move_between_functions_changes() -> None:
    assert ids(js("function a() { f(); } function b() {}"), "CALL") == ["a.js->CALL->f[in:a]"]
    assert ids(js("function a() {} function b() { f(); }"), "CALL") == ["a.js->CALL->f[in:b]"]


def test_add_new_function_no_change() -> None:
    assert set(js(BEFORE).semantic_ids) <= set(js("function g() { h(); }\n" + BEFORE).semantic_ids)


# Full analysis


def all_cases() -> list[Path]:
    return sorted(path for path in CASES.glob("*/*") if path.suffix != ".expected")


@pytest.mark.parametrize("case", all_cases(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_analysis_fixture_no_duplicate_ids(case: Path) -> None:
    registry = load_registry()
    content = case.read_bytes()
    spec = registry.detect(case.name, None, lambda: content)
    assert spec is not None
    reading = read_source(case.name, content, spec, registry)
    own = [id_ for id_ in reading.semantic_ids if not id_.startswith("EXTERNAL_MODULE->")]
    assert len(own) == len(set(own))
    assert all(parse_semantic_id(id_) is not None for id_ in own)
    assert len(reading.chunk_uids) == len(set(reading.chunk_uids))
    assert not [problem for problem in reading.problems if "not unique" in problem.problem]


def test_analysis_v1_vs_v2_mapping() -> None:
    """Each id of the first version, with its scopes and counters, has one of the second without them."""
    first = {
        "a.js->handler->if#0->FUNCTION->helper": "a.js->FUNCTION->helper[in:handler]",
        "a.js->handler->if#0->CALL->fetch#0": "a.js->CALL->fetch[in:handler]",
        "a.js->global->FUNCTION->handler": "a.js->FUNCTION->handler[in:global]",
    }
    assert set(first.values()) <= set(js(BEFORE).semantic_ids)


@pytest.mark.slow
def test_analysis_real_project_no_duplicates() -> None:
    """This project is a real one."""
    registry = load_registry()
    root = Path(__file__).parents[2]
    seen: set[str] = set()
    for path in sorted([*root.glob("src/**/*.py"), *root.glob("docs/**/*.md")]):
        name = path.relative_to(root).as_posix()
        spec = registry.of_path(name)
        assert spec is not None
        for id_ in read_source(name, path.read_bytes(), spec, registry).semantic_ids:
            assert id_ not in seen
            seen.add(id_)


# The examples of the grammar


def test_the_seeds_examples() -> None:
    source = """\
import { connection } from './db';
import _ from 'lodash';
export function processData() { console.log(1); console.log(2); }
class UserService { login(userId) {} }
class User { get name() { return 1; } #validate() {} constructor() {} static { init(); } }
function retry() { f(() => { same(); }); f(() => { same(); }); }
function process() { { let x = 1; } { let x = 2; } }
const api = { onClick: () => 1, onHover: () => 2 };
"""
    found = set(read("javascript", source, "src/app.js").semantic_ids)
    assert {
        "src/app.js->FUNCTION->processData[in:global]",
        "src/app.js->CLASS->UserService[in:global]",
        "src/app.js->FUNCTION->login[in:UserService]",
        "src/app.js->FUNCTION->get:name[in:User]",
        "src/app.js->FUNCTION->#validate[in:User]",
        "src/app.js->FUNCTION->constructor[in:User]",
        "src/app.js->IMPORT->./db:connection[in:global]",
        "src/app.js->EXPORT->processData[in:global]",
        "src/app.js->SCOPE->body[in:processData]",
        "src/app.js->SCOPE->static_block[in:User]",
        "src/app.js->PARAMETER->userId#0[in:login]",
        "src/app.js->FUNCTION->onClick[in:global]",
        "src/app.js->FUNCTION->onHover[in:global]",
        "EXTERNAL_MODULE->lodash",
    } <= found
    typed = set(
        read("typescript", "interface IUser {}\ntype UserId = string;\nenum Status { A }\n", "src/app.ts").semantic_ids
    )
    assert {
        "src/app.ts->INTERFACE->IUser[in:global]",
        "src/app.ts->TYPE->UserId[in:global]",
        "src/app.ts->ENUM->Status[in:global]",
    } <= typed


def test_two_classes_with_one_method_name_keep_their_parameters_apart() -> None:
    """Design: parameters and scopes go through the resolver too."""
    source = "class A { login(userId) { a(); } }\nclass B { login(userId) { b(); } }\n"
    reading = js(source)
    for type_, name in (("PARAMETER", "userId"), ("SCOPE", "body")):
        first, second = ids(reading, type_, name)
        assert first != second
        assert ",h:" in first
