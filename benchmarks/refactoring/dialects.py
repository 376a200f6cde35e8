"""What the edits must know of each language: where definitions are, and how a type and a member are written.

Read with tree-sitter alone, by node types; nothing of Birthmark's own reading is used. `{name}` and `{base}` in
templates are filled in; a template that a language does not have leaves out the refactorings that need it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

TYPE, FUNCTION, FIELD, GROUP = "type", "function", "field", "group"  # a group has members and no name of its own

Inherits = tuple[tuple[str, str], ...]  # patterns for the line with the name of a type, tried in order


class Dialect(NamedTuple):
    """A language, as the edits see it."""

    name: str
    grammar: str
    extensions: tuple[str, ...]
    nodes: dict[str, str]
    names: Mapping[str, tuple[str, ...]] = MappingProxyType(
        {}
    )  # the way to the name, where there is no field of that name
    symbol: str = "language"
    comment: str = "//"
    is_indented: bool = False  # blocks end where their indentation ends
    has_end: bool = False  # blocks end with a word instead of a bracket
    type_lines: tuple[str, str] | None = None  # a new type: its first and its last line
    type_head: str = ""  # what a file must begin with
    inherits: Inherits = ()
    interface_lines: tuple[str, str] | None = None
    signature_end: str = ";"
    to_method: tuple[str, str] | None = None  # the first line of a function, in a type
    to_function: tuple[str, str] | None = None
    constructors: frozenset[str] = frozenset()
    receiver: str = ""  # a pattern of what precedes the name of a method that is outside of its type


_CURLY = ("class {name} {", "}")
_EXTENDS = (
    (r"\b({name}(?:<[^{]*?>)?) extends [\w.<>, ]+", r"\1 extends {base}"),
    (r"\b({name})\b", r"\1 extends {base}"),
)
_COLON = (
    (r"\b({name}(?:<[^{(]*?>)?(?:\([^)]*\))?) : ", r"\1 : {base}, "),
    (r"\b({name})(?= *(?:\{|$))", r"\1 : {base}"),
)

_JAVASCRIPT = {
    "class_declaration": TYPE,
    "function_declaration": FUNCTION,
    "generator_function_declaration": FUNCTION,
    "method_definition": FUNCTION,
    "field_definition": FIELD,
}
_JAVASCRIPT_NAMES = {"field_definition": ("property",)}

DIALECTS: tuple[Dialect, ...] = (
    Dialect(
        "python",
        "tree_sitter_python",
        (".py",),
        {"class_definition": TYPE, "function_definition": FUNCTION},
        comment="#",
        is_indented=True,
        type_lines=("class {name}:", ""),
        inherits=((r"\b{name}\(", "{name}({base}, "), (r"\b{name}:", "{name}({base}):")),
        to_method=(r"\(", "(self, "),
        to_function=(r"\((?:self|cls)(?:, *)?", "("),
        constructors=frozenset({"__init__", "__new__"}),
    ),
    Dialect(
        "javascript",
        "tree_sitter_javascript",
        (".js", ".mjs", ".cjs"),
        _JAVASCRIPT,
        _JAVASCRIPT_NAMES,
        type_lines=_CURLY,
        inherits=_EXTENDS,
        to_method=(r"^(?:export )?(?:default )?(async )?function (\*?) ?", r"\1\2"),
        to_function=(r"^(?:static )?(async )?", r"\1function "),
        constructors=frozenset({"constructor"}),
    ),
    Dialect(
        "typescript",
        "tree_sitter_typescript",
        (".ts",),
        _JAVASCRIPT
        | {
            "abstract_class_declaration": TYPE,
            "interface_declaration": TYPE,
            "enum_declaration": TYPE,
            "public_field_definition": FIELD,
            "method_signature": FUNCTION,
            "property_signature": FIELD,
        },
        _JAVASCRIPT_NAMES,
        symbol="language_typescript",
        type_lines=("export class {name} {", "}"),
        inherits=_EXTENDS,
        interface_lines=("export interface {name} {", "}"),
        to_method=(r"^(?:export )?(?:default )?(async )?function (\*?) ?", r"\1\2"),
        to_function=(r"^(?:(?:static|public|private|protected|override|readonly) )*(async )?", r"\1function "),
        constructors=frozenset({"constructor"}),
    ),
    Dialect(
        "java",
        "tree_sitter_java",
        (".java",),
        {
            "class_declaration": TYPE,
            "interface_declaration": TYPE,
            "enum_declaration": TYPE,
            "record_declaration": TYPE,
            "method_declaration": FUNCTION,
            "constructor_declaration": FUNCTION,
            "field_declaration": FIELD,
        },
        {"field_declaration": ("declarator", "name")},
        type_lines=("class {name} {", "}"),
        inherits=_EXTENDS,
        interface_lines=("interface {name} {", "}"),
    ),
    Dialect(
        "kotlin",
        "tree_sitter_kotlin",
        (".kt",),
        {
            "class_declaration": TYPE,
            "object_declaration": TYPE,
            "companion_object": GROUP,
            "function_declaration": FUNCTION,
            "property_declaration": FIELD,
        },
        {"property_declaration": ("variable_declaration", "identifier")},
        type_lines=("open class {name} {", "}"),
        inherits=_COLON,
        interface_lines=("interface {name} {", "}"),
        signature_end="",
        to_method=("", ""),
        to_function=(r"^(?:(?:override|private|protected|open|final|abstract|operator) )*", ""),
    ),
    Dialect(
        "go",
        "tree_sitter_go",
        (".go",),
        {
            "type_declaration": TYPE,
            "function_declaration": FUNCTION,
            "method_declaration": FUNCTION,
            "field_declaration": FIELD,
        },
        {"type_declaration": ("type_spec", "name"), "field_declaration": ("name",)},
        type_lines=("type {name} struct {", "}"),
        interface_lines=("type {name} interface {", "}"),
        signature_end="",
        to_method=(r"^func ", "func (r *{base}) "),
        to_function=(r"^func \([^)]*\) ", "func "),
        receiver=r"^func \([^)]*?\b{name}(?:\[[^\]]*\])?\) ",
    ),
    Dialect(
        "rust",
        "tree_sitter_rust",
        (".rs",),
        {
            "struct_item": TYPE,
            "enum_item": TYPE,
            "trait_item": TYPE,
            "impl_item": GROUP,
            "mod_item": GROUP,
            "function_item": FUNCTION,
            "field_declaration": FIELD,
        },
        type_lines=("impl {name} {", "}"),
        type_head="pub struct {name};",
        interface_lines=("pub trait {name} {", "}"),
        to_method=(r"\(", "(&self, "),
        to_function=(r"\(&?(?:'\w+ )?(?:mut )?self(?:, *)?", "("),
    ),
    Dialect(
        "c",
        "tree_sitter_c",
        (".c", ".h"),
        {"function_definition": FUNCTION, "struct_specifier": TYPE, "field_declaration": FIELD},
        {"function_definition": ("declarator",), "field_declaration": ("declarator",)},
    ),
    Dialect(
        "cpp",
        "tree_sitter_cpp",
        (".cc", ".cpp", ".cxx", ".hpp", ".h"),
        {
            "function_definition": FUNCTION,
            "class_specifier": TYPE,
            "struct_specifier": TYPE,
            "field_declaration": FIELD,
        },
        {"function_definition": ("declarator",), "field_declaration": ("declarator",)},
        type_lines=("class {name} {\n public:", "};"),
        inherits=(
            (r"\b({name}) (final )?: ", r"\1 \2: public {base}, "),
            (r"\b({name})(?= *(?:\{|$))", r"\1 : public {base}"),
        ),
        to_method=("", ""),
        to_function=(r"^(?:(?:static|virtual|explicit|inline|constexpr) )*", ""),
    ),
    Dialect(
        "csharp",
        "tree_sitter_c_sharp",
        (".cs",),
        {
            "class_declaration": TYPE,
            "struct_declaration": TYPE,
            "interface_declaration": TYPE,
            "enum_declaration": TYPE,
            "record_declaration": TYPE,
            "method_declaration": FUNCTION,
            "constructor_declaration": FUNCTION,
            "field_declaration": FIELD,
            "property_declaration": FIELD,
        },
        {"field_declaration": ("variable_declaration", "variable_declarator", "name")},
        type_lines=("public class {name}\n{", "}"),
        inherits=_COLON,
        interface_lines=("public interface {name}\n{", "}"),
    ),
    Dialect(
        "php",
        "tree_sitter_php",
        (".php",),
        {
            "class_declaration": TYPE,
            "interface_declaration": TYPE,
            "trait_declaration": TYPE,
            "function_definition": FUNCTION,
            "method_declaration": FUNCTION,
        },
        symbol="language_php",
        type_lines=("class {name}\n{", "}"),
        inherits=_EXTENDS,
        interface_lines=("interface {name}\n{", "}"),
        to_method=("", ""),
        to_function=(r"^(?:(?:public|private|protected|static|final|abstract) )*", ""),
        constructors=frozenset({"__construct"}),
    ),
    Dialect(
        "ruby",
        "tree_sitter_ruby",
        (".rb",),
        {"class": TYPE, "module": TYPE, "method": FUNCTION, "singleton_method": FUNCTION},
        comment="#",
        has_end=True,
        type_lines=("class {name}", "end"),
        inherits=((r"\b({name}) < [\w:.()]+", r"\1 < {base}"), (r"\bclass ({name})\b", r"class \1 < {base}")),
        to_method=("", ""),
        to_function=(r"^def self\.", "def "),
        constructors=frozenset({"initialize"}),
    ),
    Dialect(
        "scala",
        "tree_sitter_scala",
        (".scala",),
        {
            "class_definition": TYPE,
            "object_definition": TYPE,
            "trait_definition": TYPE,
            "function_definition": FUNCTION,
            "val_definition": FIELD,
        },
        {"val_definition": ("pattern",)},
        type_lines=("class {name} {", "}"),
        inherits=_EXTENDS,
        interface_lines=("trait {name} {", "}"),
        signature_end="",
        to_method=("", ""),
        to_function=(r"^(?:(?:override|private|protected|final|implicit)(?:\[\w+\])? )*", ""),
    ),
    Dialect(
        "swift",
        "tree_sitter_swift",
        (".swift",),
        {
            "class_declaration": TYPE,
            "protocol_declaration": TYPE,
            "function_declaration": FUNCTION,
            "property_declaration": FIELD,
        },
        type_lines=("class {name} {", "}"),
        inherits=_COLON,
        interface_lines=("protocol {name} {", "}"),
        signature_end="",
        to_method=("", ""),
        to_function=(
            r"^(?:(?:override|private|public|open|internal|fileprivate|final|static|class|mutating|@\w+) )*",
            "",
        ),
    ),
)

BY_NAME = {dialect.name: dialect for dialect in DIALECTS}
