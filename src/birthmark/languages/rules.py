"""The tables of `language.toml` as values: `[resolution]` and `[lexical]` for the graph, `[visibility]` for
subscriptions, `[tests]` for questions about tests, `[implicit_use]` for what has no users.

A rule chooses among what the code can do; no code asks for a language by its name.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from birthmark.vocabulary import ManifestFormat, ModuleLookup


class ResolutionRules(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """How references are resolved in a group of languages that call each other.

    There is one object for each group, so it is compared by identity.
    """

    modules: ModuleLookup = ModuleLookup.NONE  # how the file of an imported module is found
    manifests: dict[str, ManifestFormat] = {}  # patterns of names of files that say where modules are -> their format
    packages: dict[str, ManifestFormat] = {}  # patterns of names of files that only name packages -> their format
    extensions: tuple[str, ...] = ()  # of the files that are modules
    root_folders: tuple[str, ...] = ("", "src", "lib", "python", "app", "include")  # names of modules start in them
    source_roots: tuple[str, ...] = ()  # a package's path starts after one of them, and may be there after several
    library_folders: tuple[str, ...] = ()  # first parts of modules that are never the repository's own
    path_prefixes: tuple[str, ...] = ()  # first parts of a path that starts at a module: `crate`, `self`, `super`
    schemes: tuple[str, ...] = ()  # `node` of `node:fs`, which is one module
    separator: str = "."  # between the parts of a module's name
    binds: Literal["", "path", "last"] = ""  # which name an import of a whole module binds
    version_suffix: str = ""  # a pattern: what is not part of the name of a module
    all_names: tuple[str, ...] = ("*",)  # names of an import that mean all names
    self_name: str = ""  # the name of an import that means the module itself
    default_name: str = ""  # the name under which a module's main export is imported
    macro_mark: str = ""  # the end of a macro's name where it is called
    keeps_marks: bool = False  # `!` or `?` may end a name
    sees_class: bool = False  # a method refers to its siblings without `self`
    sees_modules: bool = False  # a qualified name may start at a module that is not imported
    calls_bare: bool = False  # a name without parentheses is called, on `self` if it is no variable
    creators: tuple[str, ...] = ()  # members of a type that make an instance: `new`
    type_members: tuple[str, ...] = ()  # members of an instance that are its type: `class`
    static_prefix: str = ""  # of the names of members that belong to the type itself: `self.`
    static_module: str = ""  # in a module: its members belong to the types themselves that take the module over
    setter_mark: str = ""  # the end of the name of what an assignment to a member calls: `=`
    field_mark: str = ""  # the start of a name that is a member of `self`: `@`; the rest is the name for others
    mixes_modules: bool = False  # a module has methods, types take them over; each opening of a type adds to it
    has_root: bool = False  # `::A` and `\\A` start where all namespaces start
    parts_fields: bool = False  # a field and a method may have one name: what is not called is the field
    skips_traits: bool = False  # `parent` is the superclass, not a trait
    own_types: tuple[str, ...] = ()  # names of the type around: `self` where it is no instance
    is_closed: bool = False  # a bare name comes from the file, or is built in
    shares: Literal["", "folder", "all", "scripts"] = ""  # which files see each other; scripts import nothing
    takes_all: bool = False  # an import of a module binds all its names
    passes_on: bool = False  # a file without definitions exports all that it imports
    exports_objects: bool = False  # members of an exported object are imported by their bare names
    module_calls: tuple[str, ...] = ()  # functions that give a module by its name: `require`
    keeps_variables: bool = False  # a variable of a module that holds what is elsewhere is meant itself
    instance_member: str = ""  # the member of a type that means its instances: `prototype`
    calling_members: tuple[str, ...] = ()  # members of a function that call it: `call`, `apply`
    binding_members: tuple[str, ...] = ()  # members of a function that give one which calls it: `bind`
    bundle_paths: str = ""  # a pattern: files made from others, to which a mere name does not lead
    finds_beside: bool = False  # a module that is written without a path may be a file beside the importing one
    open_types: bool = False  # other files may add members to a type
    implicit_interfaces: bool = False  # a type with all methods of an interface implements it
    same_members: tuple[str, ...] = ()  # members of wrappers and collections that give what they wrap: `unwrap`
    element_members: tuple[str, ...] = ()  # members of collections that give an element: `first`
    has_stubs: bool = False  # a function may be declared several times, with other types, before it is defined
    has_overloads: bool = False  # several functions of one name differ by their parameters
    companion: str = ""  # the object in a type whose members are used like its own
    super_constructs: bool = False  # `super(...)` calls the constructor of the base, `this(...)` one of its own
    supers: tuple[str, ...] = ("super", "base", "parent")  # words for the type above
    is_lower: bool = False  # types of the standard library are in lower case; `List<T>` is a type like others
    indexes_pointers: bool = False  # `p[0]` is what `p` points to
    declares_first: bool = False  # what is used is declared before: a type perhaps without its definition
    has_namespaces: bool = False  # a module may be a namespace, in whatever files
    names_namespace: bool = False  # a namespace that is named at the top of a file holds all of the file
    hides_receivers: bool = False  # in a macro, whose arguments are bare tokens, `a.b()` looks like `b()`


class LexicalRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where names in a source are no code; the defaults are those of C and the languages like it."""

    line_comments: tuple[str, ...] = ("//",)  # what starts them
    block_comments: tuple[tuple[str, str], ...] = (("/*", "*/"),)  # what starts and ends them
    quotes: tuple[str, ...] = ('"""', '"', "'", "`")  # around strings, the longest first
    long_quotes: tuple[str, ...] = ('"""', "`")  # around those that may have several lines
    code_quotes: tuple[str, ...] = ("`",)  # around those that may have code in them
    code_prefix: str = ""  # a pattern: what must be in front of them for that
    code_in_strings: str = r"\$\{([^{}]*)\}"  # a pattern: that code
    has_lifetimes: bool = False  # a single quote is around one character, or around none
    has_regexes: bool = False  # a slash that divides nothing starts a regular expression
    name_characters: str = r"\w$"  # in names, as a set of characters
    computes_keys: bool = False  # in braces, what is before a colon is evaluated
    keys_are_fields: bool = False  # in braces after a type, what is before a colon is a field of it


class VisibilityRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which members are private, as far as their own names and heads say so."""

    private_names: str = "^#"  # a pattern of private names
    private_lower_case: bool = False  # a name that starts in lower case is private
    private_words: tuple[str, ...] = ("private", "fileprivate")
    public_word: str = ""  # what is not marked by a word that starts so is private


class TestRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is a test; all are regular expressions that match as a whole."""

    paths: tuple[str, ...] = ()  # names of files that hold tests, beside those that are so called in any language
    names: tuple[str, ...] = (".*",)  # qualified names of the tests in such files; an empty one is the top level
    inline: tuple[str, ...] = ()  # qualified names of what holds tests in files that are no tests themselves
    shared: tuple[str, ...] = ()  # names of files whose code counts for all tests in their folder
    fixtures: str = ""  # searched in decorators: a function that tests get by the name of a parameter
    automatic: str = ""  # searched in decorators: a fixture that all tests get which could name it
    settings: tuple[str, ...] = ()  # names of files that say how tests are run
    separator: str = "."  # between the names of a class and of a test in it, as the runner takes them


class ImplicitUseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is used though no code of the repository names it; patterns match as a whole."""

    special_names: str = ""  # a pattern: the language itself uses what is so called
    entry_names: str = "main"  # a pattern: where a program starts
    plain_decorators: str = ""  # a pattern: decorators that register nothing
    manifests: tuple[str, ...] = ()  # names of files, in no language, that may name definitions
