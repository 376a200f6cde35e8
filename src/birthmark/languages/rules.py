"""Tables of `language.toml`: `[resolution]` for the graph, `[visibility]` for subscriptions, `[tests]`
for questions about tests, `[implicit_use]` for definitions without users, `[[expressions]]` for uses in markup.

A rule selects a behaviour of the code; no code asks for a language by name.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from birthmark.vocabulary import ManifestFormat, ModuleLookup


class ResolutionRules(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """Rules that resolve references in a group of languages that call each other.

    Each group has one object, which is compared by identity.
    """

    modules: ModuleLookup = ModuleLookup.NONE  # the way to find the file of an imported module
    manifests: dict[str, ManifestFormat] = {}  # patterns of file names of manifests -> their format
    packages: dict[str, ManifestFormat] = {}  # the same for files that only name packages
    extensions: tuple[str, ...] = ()  # of the files that are modules
    root_folders: tuple[str, ...] = ("", "src", "lib", "python", "app", "include")  # where names of modules start
    source_roots: tuple[str, ...] = ()  # a package's path starts after one of them, maybe in several places
    library_folders: tuple[str, ...] = ()  # first parts of modules that are never part of the repository
    path_prefixes: tuple[str, ...] = ()  # first parts of paths from a module: `crate`, `self`, `super`
    schemes: tuple[str, ...] = ()  # `node` of the module `node:fs`
    separator: str = "."  # between the parts of a module's name
    binds: Literal["", "path", "last"] = ""  # the name that an import of a whole module binds
    version_suffix: str = ""  # a pattern for suffixes that are not part of a module's name
    all_names: tuple[str, ...] = ("*",)  # names of an import that mean all names
    self_name: str = ""  # the name of an import that means the module itself
    default_name: str = ""  # the name under which a module's main export is imported
    macro_mark: str = ""  # the end of a macro's name in calls
    keeps_marks: bool = False  # `!` or `?` may end a name
    sees_class: bool = False  # a method refers to its siblings without `self`
    sees_modules: bool = False  # a qualified name may start at a module that is not imported
    sees_packages: bool = False  # a qualified name may start at a package: `p.a.Shop`
    calls_bare: bool = False  # a name without parentheses is a call, on `self` unless it is a variable
    creators: tuple[str, ...] = ()  # members of a type that make an instance: `new`
    type_members: tuple[str, ...] = ()  # members of an instance that are its type: `class`
    static_prefix: str = ""  # before names of members of the type itself: `self.`
    static_module: str = ""  # inside a module: its members belong to the types that include the module
    setter_mark: str = ""  # the end of the names of setters: `=`
    variable_mark: str = ""  # the start of names of variables, which a function sees only if they are its own: `$`
    field_mark: str = ""  # the start of names of own members: `@`; others use the rest
    mixes_modules: bool = False  # types include the methods of modules; each opening of a type adds to it
    has_root: bool = False  # `::A` and `\\A` start where all namespaces start
    parts_fields: bool = False  # a field and a method may share a name; without a call the field is meant
    skips_traits: bool = False  # `parent` is the superclass, not a trait
    own_types: tuple[str, ...] = ()  # names of the type around: `self` where it is no instance
    is_closed: bool = False  # a bare name comes from the file, or is built in
    shares: Literal["", "folder", "all", "scripts"] = ""  # files that see each other; scripts import nothing
    takes_all: bool = False  # an import of a module binds all its names
    passes_on: bool = False  # a file without definitions exports all that it imports
    exports_objects: bool = False  # members of an exported object are imported by their bare names
    module_calls: tuple[str, ...] = ()  # functions that give a module by its name: `require`
    keeps_variables: bool = False  # a module variable that holds another definition stays the target
    instance_member: str = ""  # the member of a type that stands for its instances: `prototype`
    calling_members: tuple[str, ...] = ()  # members of a function that call it: `call`, `apply`
    binding_members: tuple[str, ...] = ()  # members of a function that return a bound one: `bind`
    bundle_paths: str = ""  # a pattern of generated files, to which a bare name does not lead
    finds_beside: bool = False  # a module without a path may be a file next to the importing one
    open_types: bool = False  # other files may add members to a type
    implicit_interfaces: bool = False  # a type with all methods of an interface implements it
    keys_are_members: bool = False  # `x["a"]` is `x.a`
    iterators: tuple[str, ...] = ()  # methods that give an element: of an object, then of what the first returns
    same_members: tuple[str, ...] = ()  # members of wrappers and collections that return the contents: `unwrap`
    element_members: tuple[str, ...] = ()  # members of collections that return an element: `first`
    opens_enums: bool = False  # members of an enumeration are seen around it
    has_stubs: bool = False  # a function may have declarations with other types before its definition
    has_overloads: bool = False  # several functions of one name differ by their parameters
    companion: str = ""  # the object in a type whose members are used like its own
    super_constructs: bool = False  # `super(...)` calls the constructor of the base, `this(...)` one of its own
    supers: tuple[str, ...] = ("super", "base", "parent")  # words for the type above
    is_lower: bool = False  # types of the standard library are in lower case; `List<T>` is a type like others
    indexes_pointers: bool = False  # `p[0]` dereferences `p`
    declares_first: bool = False  # declarations come before uses, maybe forward declarations of types
    has_namespaces: bool = False  # a module may be a namespace, in any files
    names_namespace: bool = False  # a namespace named at the top of a file contains the whole file
    hides_receivers: bool = False  # in macros, whose arguments are bare tokens, `a.b()` looks like `b()`


class ExpressionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sort of expressions in the markup of a container."""

    names: str = ""  # a pattern for the names of attributes and elements of which it is the content
    marks: tuple[str, ...] = ()  # before and after it in the markup
    blocks: tuple[str, ...] = ()  # the start of those that open and close a block, in which names hold
    forms: tuple[str, ...] = ("(?P<value>.+)",)  # patterns, the first that matches all of it counts
    strip: str = ""  # characters at the start of names


class VisibilityRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for private members, by their names and heads."""

    private_names: str = "^#"  # a pattern of private names
    private_lower_case: bool = False  # a name that starts in lower case is private
    private_words: tuple[str, ...] = ("private", "fileprivate")
    public_word: str = ""  # members without a word that starts so are private


class TestRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that find tests: regular expressions that match as a whole."""

    paths: tuple[str, ...] = ()  # names of files with tests, besides the usual ones of all languages
    names: tuple[str, ...] = (".*",)  # qualified names of tests in these files; empty for the top level
    inline: tuple[str, ...] = ()  # qualified names of containers of tests in other files
    shared: tuple[str, ...] = ()  # names of files whose code belongs to all tests in their folder
    fixtures: str = ""  # searched in decorators: functions that tests request by the name of a parameter
    automatic: str = ""  # searched in decorators: fixtures for all tests in reach
    settings: tuple[str, ...] = ()  # names of files with settings of the test runner
    separator: str = "."  # between class and test in names for the runner


class ImplicitUseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for definitions that are used without being named in the repository; patterns match as a whole."""

    special_names: str = ""  # a pattern of names that the language itself uses
    entry_names: str = "main"  # a pattern of entry points
    plain_decorators: str = ""  # a pattern of decorators that register nothing
    manifests: tuple[str, ...] = ()  # names of files in no language that may name definitions
