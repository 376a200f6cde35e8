"""The words that users see as values: in JSON, in the database, in messages. Each is spelled here, and only here."""

from __future__ import annotations

from enum import StrEnum


class Detail(StrEnum):
    """How much of a file is extracted."""

    DEFINITIONS = "definitions"  # entities, calls, imports, exports
    FULL = "full"  # every node


class Change(StrEnum):
    """What became of an entity between two states; the boldest word that applies."""

    ADDED = "added"
    DELETED = "deleted"
    MODIFIED = "modified"
    MOVED = "moved"
    RENAMED = "renamed"
    RELOCATED = "relocated"
    UNCHANGED = "unchanged"
    BORN = "born"  # in the ledger alone: an identity that was not there before
    REVIVED = "revived"  # in the ledger alone: an identity that was deleted earlier


LEDGER_CHANGES = tuple(change for change in Change if change not in (Change.ADDED, Change.UNCHANGED))
DIFF_CHANGES = tuple(change for change in Change if change not in (Change.UNCHANGED, Change.BORN, Change.REVIVED))


class FileRole(StrEnum):
    """What a file is for, by its path."""

    SOURCE = "source"
    DOCUMENTATION = "documentation"
    TEST = "test"
    GENERATED = "generated"


class SearchMatch(StrEnum):
    """What of an entity a search has found."""

    NAME = "name"
    FORMER = "former name"  # which it has no longer
    PART = "part"  # the words are in its name
    SLIP = "slip"  # its name differs in a few characters
    SIGNATURE = "signature"
    DOC = "doc"
    CODE = "code"


class Aspect(StrEnum):
    """What differs between two states of an entity."""

    INTERFACE = "interface"
    BODY = "body"
    DOCUMENTATION = "documentation"
    FORMATTING = "formatting"  # layout and comments only


class HistoryChange(StrEnum):
    """What a commit did to an entity, a variable or a block."""

    INTRODUCED = "introduced"
    RENAME = "rename"
    MOVED = "moved"
    CONTAINER = "container change"
    BODY = "body change"
    PARAMETER = "parameter change"
    RETURN_TYPE = "return type change"
    TYPE = "type change"
    TYPE_PARAMETER = "type parameter change"
    MODIFIER = "modifier change"
    ACCESS_MODIFIER = "access modifier change"
    ANNOTATION = "annotation change"
    EXCEPTION = "exception change"
    INHERITANCE = "inheritance change"
    INITIALIZER = "initializer change"
    INITIALIZER_ADDED = "initializer added"
    INITIALIZER_REMOVED = "initializer removed"
    DOCUMENTATION = "documentation change"
    FORMAT = "format change"
    EXPRESSION = "expression change"  # of the head of a block
    CATCH = "catch block change"
    CATCH_ADDED = "catch block added"
    CATCH_REMOVED = "catch block removed"
    FINALLY = "finally block change"
    FINALLY_ADDED = "finally block added"
    FINALLY_REMOVED = "finally block removed"
    ELSE_ADDED = "else block added"
    ELSE_REMOVED = "else block removed"
    SPLIT = "block split"


class ChunkState(StrEnum):
    """What became of a chunk, for clients that store data by chunk uid."""

    KEPT = "kept"  # the same uid
    REKEYED = "rekeyed"  # the same text under a new uid
    CHANGED = "changed"
    GONE = "gone"
    ADDED = "added"


class Confidence(StrEnum):
    """How far a pair or a proposal can be relied on."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Evidence(StrEnum):
    """Why two entities are one, from surest to boldest."""

    SAME_IDENTITY = "same identity"  # as the ledger has found before
    SAME_CONTENT = "same content"
    SAME_NAME = "same name"
    SAME_INTERFACE = "same name and interface"
    SAME_PARAMETERS = "same name and parameters"
    SIMILAR_NAMESAKE = "same name and similar"
    SAME_POSITION = "same name and position"
    SAME_CONTENT_ELSEWHERE = "same content elsewhere"
    SAME_NAME_ELSEWHERE = "same name in a renamed place"
    SAME_MEMBERS = "same members"
    SAME_BODY = "same body"
    SAME_DECLARATION = "same declaration elsewhere"
    SAME_NAME_FOLLOWING = "same name beside others that moved"
    SAME_USES = "same uses"
    SIMILAR = "similar"
    LIKELY = "likely"  # of what was left over, by all that agrees


class DerivationKind(StrEnum):
    """How code of one identity, the source, came into another one, the derivative."""

    EXTRACTED = "extracted from"  # the source goes on without that code
    COPIED = "copied from"  # the source goes on and still has it
    SPLIT = "split from"  # the source is gone, or went on as another part; its code is in several
    MERGED = "merged into"  # the source is gone; its code is in something that is also something else's
    INLINED = "inlined into"  # the source is gone; its code is in one that called it
    MOVED = "moved from"  # whole, with siblings: pulled up from or pushed down to several; or to another repository


class DerivationEvidence(StrEnum):
    """Why something is taken to be derived, from surest to boldest."""

    SAME_BODY = "same body"
    SHARED_CODE_AND_CALL = "shared code and a call"
    SHARED_CODE = "shared code"


class ModuleLookup(StrEnum):
    """How the file of an imported module is found."""

    NONE = "none"
    DOTTED_FILES = "dotted-files"  # `a.b` is a/b.ext, or the folder a/b
    RELATIVE_FILES = "relative-files"  # `./a/b` is a path from the importing file
    PACKAGE_FOLDERS = "package-folders"  # `a.b` is every folder a/b, `a.b.C` a file in it
    PATH_FOLDERS = "path-folders"  # `host/a/b` is the folder that ends so
    CRATE_TREE = "crate-tree"  # `crate::a::b` goes down files and the modules in them
    INCLUDED_FILES = "included-files"  # `a/b.h` is a path from the file or from a root
    REQUIRED_FILES = "required-files"  # the same without an extension


class ManifestFormat(StrEnum):
    """What a manifest is written in; each says where modules are in its own way."""

    PACKAGE = "package-json"  # names, entries, exports, imports and workspaces of packages
    PNPM_WORKSPACE = "pnpm-workspace"  # which packages of a repository import each other
    COMPILER_PATHS = "tsconfig"  # `baseUrl`, `paths` and `rootDirs`
    GO_MODULE = "go-mod"  # paths of modules, and local replacements
    CRATE = "cargo-toml"  # names, roots and path dependencies of crates
    PROJECT = "pyproject-toml"  # folders in which packages are
    SETUP = "setup-cfg"  # the same
    AUTOLOAD = "composer-json"  # folders of namespaces
    MAVEN = "pom-xml"  # names and dependencies of packages, as the following
    GRADLE = "gradle-build"
    GRADLE_SETTINGS = "gradle-settings"
    GEMSPEC = "gemspec"
    NUGET = "csproj"
    SWIFT_PACKAGE = "package-swift"


class Ecosystem(StrEnum):
    """Where the name of a package is looked up."""

    CARGO = "crates"
    COMPOSER = "composer"
    GO = "go-modules"
    MAVEN = "maven"
    NPM = "npm"
    NUGET = "nuget"
    PYPI = "pypi"
    RUBYGEMS = "rubygems"
    SWIFT = "swift-packages"


class EdgeKind(StrEnum):
    """What one definition has to do with another."""

    CALLS = "calls"
    IMPORTS = "imports"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    OVERRIDES = "overrides"
    READS = "reads"
    WRITES = "writes"
    TYPES = "types"  # names it as the type of something
    DECORATES = "decorates"  # is decorated with it
    EXPORTS = "exports"


class ReachWord(StrEnum):
    """What something has to do with the next one on the way from a test to what it reaches."""

    CALLS = "calls"
    READS = "reads"
    WRITES = "writes"
    DECORATES = "is decorated with"
    EXPORTS = "exports"
    INHERITS = "inherits from"
    IMPLEMENTS = "implements"
    TAKES = "takes as parameter"
    NAMES = "names"  # in a string
    CONTAINS = "contains"
    OVERRIDDEN = "is overridden by"
    NAMESAKE = "has the same name as"
    IMPORTS = "imports"
    INSIDE = "is in"
    BELOW = "is in the folder of"
    UNKNOWN_USERS = "has, with unknown users,"


class Risk(StrEnum):
    """How much attention a change deserves, by a score of what is known of it."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class RiskFactor(StrEnum):
    """What adds to the risk of a change."""

    USERS = "users"
    UNCHANGED_USERS = "unchanged users"  # of an interface that changed
    INTERFACE = "interface"
    TESTS = "tests"  # that none reaches it
    CHURN = "churn"
    SIZE = "size"


class CollapsedWord(StrEnum):
    """Why a change needs but one line in a review."""

    MOVED = "moved"
    RENAMED = "renamed"
    REFORMATTED = "reformatted"  # layout and comments
    DOCUMENTED = "documented"  # documentation only


class ReviewBasis(StrEnum):
    """Why a review compares with its base."""

    NAMED = "named"
    MERGE_BASE = "merge base"  # with the branch that is merged into
    HEAD = "HEAD"  # what is not committed


class ContextPart(StrEnum):
    """Why something is part of a context, in the order of priority."""

    DEFINITION = "definition"
    NOTES = "notes"  # what was written down about it
    CONTAINER = "container"  # what it is in
    USES = "uses"  # what its code uses, by signature
    USERS = "users"  # the lines that use it
    TESTS = "tests"
    DERIVATIONS = "derivations"  # what its code came from, and went into
    SIBLINGS = "siblings"  # other members of its container
    SOURCES = "sources"  # of what it uses, if there is budget left


class Resolution(StrEnum):
    """How the far end of an edge was found, from the surest on."""

    EXACT = "exact"  # in the same file
    IMPORT = "import"  # through an import, or in the folder that is one package
    HIERARCHY = "hierarchy"  # inherited: in a base of the type that the receiver is known to have
    DISPATCH = "dispatch"  # the receiver is of a type with several implementations, and these are all of them
    NAME = "name"  # it has the name, as others may
    EXTERNAL = "external"  # an import leads out of the repository
    UNRESOLVED = "unresolved"


class UnusedDoubt(StrEnum):
    """Why something without known users may be used all the same, the strongest first."""

    TEST = "test"  # test runners find it by its name
    SPECIAL = "special name"  # the language or its library uses what is so called
    ENTRY_POINT = "entry point"  # a program starts there, or a manifest names it
    DECORATED = "decorated"  # what decorates it may register it
    IMPORTED = "imported"  # another file imports it, perhaps for others to import
    NAMED = "named in code"  # where another definition may be meant
    QUOTED = "named in a string"
    OTHER_FILE = "named in another language"  # in a template, a document, a query
    BASE_OUTSIDE = "base outside"  # its class has a base that is not in the repository, which may use it
    DOCUMENTATION = "in documentation"  # it is code of a document or an example
    GENERATED = "in generated code"
    PUBLIC = "public"  # other repositories may use it


class RefStatus(StrEnum):
    """What a REF resolves to."""

    PRESENT = "present"
    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class SubscriptionTarget(StrEnum):
    """What a subscription is about."""

    ENTITY = "entity"
    LINES = "lines"
    PATTERN = "pattern"  # all entities whose path and name match
    USERS = "users"  # those who call or import an entity


class SubscriptionHome(StrEnum):
    """Where a subscription or a note is stored: with the index of one person, or in the repository for a team."""

    PERSONAL = "index"
    TEAM = "team"


class NoteMatch(StrEnum):
    """By what the entity of a note was found, the surest first."""

    MARK = "mark"
    KEY = "key"
    NAME = "name"  # its path and qualified name


class ChangeType(StrEnum):
    """What kind of change a trigger reports, the gravest first."""

    MISSING = "MISSING"
    AMBIGUOUS = "AMBIGUOUS"
    STRUCTURAL = "STRUCTURAL"
    CONTENT = "CONTENT"
    AGGREGATE = "AGGREGATE"  # of members, matches or users
    COSMETIC = "COSMETIC"  # formatting, comments and documentation


class ScanReason(StrEnum):
    """Why a subscription triggered, or should point elsewhere."""

    INTERFACE_CHANGED = "interface_changed"
    BODY_CHANGED = "body_changed"
    DOCUMENTATION_CHANGED = "documentation_changed"
    FORMATTING_CHANGED = "formatting_changed"
    WHITESPACE_CHANGED = "whitespace_changed"
    FILE_DELETED = "file_deleted"
    FILE_NOT_FOUND = "file_not_found"
    TARGET_MISSING = "semantic_target_missing"
    LINES_MISSING = "lines_missing"
    DUPLICATE_FOUND = "duplicate_found"
    OVERLAP = "overlap"
    INSERT_INSIDE = "insert_inside"
    MEMBERS_ADDED = "members_added"
    MEMBERS_REMOVED = "members_removed"
    MEMBERS_CHANGED = "members_changed"
    MEMBERS_RENAMED = "members_renamed"
    INHERITED_MEMBERS_CHANGED = "inherited_members_changed"
    MATCHES_ADDED = "matches_added"
    MATCHES_REMOVED = "matches_removed"
    MATCHES_CHANGED = "matches_changed"
    MATCHES_RENAMED = "matches_renamed"
    USERS_ADDED = "users_added"
    USERS_REMOVED = "users_removed"
    USERS_CHANGED = "users_changed"
    USERS_RENAMED = "users_renamed"
    LINE_SHIFT = "line_shift"
    RENAME = "rename"
    SEMANTIC_LOCATION = "semantic_location"
    MOVED_CROSS_FILE = "moved_cross_file"


class ComparedWith(StrEnum):
    """What a trigger compares the target with: the base of the scan, or what was accepted, where that differs."""

    BASE = "base"
    ACCEPTED = "accepted"


class Muted(StrEnum):
    """Why a finding is not reported."""

    COSMETIC = "cosmetic"
    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"


class AnchorStatus(StrEnum):
    """What became of what a document names."""

    CURRENT = "current"
    CHANGED = "changed"
    MOVED = "moved"
    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class WebhookFormat(StrEnum):
    """How a message to a webhook is written."""

    JSON = "json"
    SLACK = "slack"
    TEAMS = "teams"


class DeliveryState(StrEnum):
    """How far a message has come."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"


class RefreshResult(StrEnum):
    """What a refresh of a fleet did to a repository."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    EMPTY = "empty"  # it has no commit
    FAILED = "failed"


class FleetState(StrEnum):
    """How a repository of a fleet is."""

    NEW = "new"
    CURRENT = "current"
    BEHIND = "behind"
    FAILED = "failed"
