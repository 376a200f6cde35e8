"""Words that users see as values in JSON, in the database and in messages; each is spelled only here."""

from __future__ import annotations

from enum import StrEnum


class Detail(StrEnum):
    """The extent of an index."""

    DEFINITIONS = "definitions"  # entities, calls, imports, exports
    FULL = "full"  # every node


class LeftOutReason(StrEnum):
    """The reason that a file, or a folder, is not indexed."""

    THIRD_PARTY = "third-party"  # a folder of packages
    MINIFIED = "minified"
    UNSUPPORTED = "unsupported"  # in no language that is known
    SKIPPED = "skipped"  # by a sparse checkout, and not in the clone
    MARKED = "marked"  # as generated or vendored, by `.gitattributes`


class Change(StrEnum):
    """The change of an entity between two states: the boldest word that applies."""

    ADDED = "added"
    DELETED = "deleted"
    MODIFIED = "modified"
    MOVED = "moved"
    RENAMED = "renamed"
    RELOCATED = "relocated"
    UNCHANGED = "unchanged"
    BORN = "born"  # only in the ledger: a new identity
    REVIVED = "revived"  # only in the ledger: an identity that was deleted before


LEDGER_CHANGES = tuple(change for change in Change if change not in (Change.ADDED, Change.UNCHANGED))
DIFF_CHANGES = tuple(change for change in Change if change not in (Change.UNCHANGED, Change.BORN, Change.REVIVED))


class FileRole(StrEnum):
    """The purpose of a file, by its path."""

    SOURCE = "source"
    DOCUMENTATION = "documentation"
    TEST = "test"
    GENERATED = "generated"


class SearchMatch(StrEnum):
    """The part of an entity that matches a search."""

    NAME = "name"
    FORMER = "former name"
    PART = "part"  # of its name
    SLIP = "slip"  # a name with a few other characters
    SIGNATURE = "signature"
    DOC = "doc"
    CODE = "code"


class Aspect(StrEnum):
    """A difference between two states of an entity."""

    INTERFACE = "interface"
    BODY = "body"
    DOCUMENTATION = "documentation"
    FORMATTING = "formatting"  # only layout and comments


class HistoryChange(StrEnum):
    """A change of an entity, a variable or a block by a commit."""

    INTRODUCED = "introduced"
    DELETED = "deleted"
    RETURNED = "came back"
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


COSMETIC = frozenset({HistoryChange.DOCUMENTATION, HistoryChange.FORMAT})


class ChunkState(StrEnum):
    """The fate of a chunk, for clients that store data by chunk uid."""

    KEPT = "kept"  # the same uid
    REKEYED = "rekeyed"  # the same text under a new uid
    CHANGED = "changed"
    GONE = "gone"
    ADDED = "added"


class Confidence(StrEnum):
    """The reliability of a pair or a proposal."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Evidence(StrEnum):
    """The reason to pair two entities, from surest to boldest."""

    SAME_IDENTITY = "same identity"  # known from the ledger
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
    LIKELY = "likely"  # of the rest, by all that agrees


class DerivationKind(StrEnum):
    """The way of code from one identity, the source, to another, the derivative."""

    EXTRACTED = "extracted from"  # The source continues without that code.
    COPIED = "copied from"  # The source keeps it.
    SPLIT = "split from"  # The source is gone, or continues as another part; its code is in several.
    MERGED = "merged into"  # The source is gone; its code is in an entity with other predecessors.
    INLINED = "inlined into"  # The source is gone; its code is in a former caller.
    MOVED = "moved from"  # whole: pulled up, pushed down, or moved to another repository


class DerivationEvidence(StrEnum):
    """The reason to assume a derivation, from surest to boldest."""

    SAME_BODY = "same body"
    SHARED_CODE_AND_CALL = "shared code and a call"
    SHARED_CODE = "shared code"


class ModuleLookup(StrEnum):
    """The way to find the file of an imported module."""

    NONE = "none"
    DOTTED_FILES = "dotted-files"  # `a.b` is a/b.ext, or the folder a/b
    RELATIVE_FILES = "relative-files"  # `./a/b` is a path from the importing file
    PACKAGE_FOLDERS = "package-folders"  # `a.b` is every folder a/b, `a.b.C` a file in it
    PATH_FOLDERS = "path-folders"  # `host/a/b` is the folder with that end
    CRATE_TREE = "crate-tree"  # `crate::a::b` goes down files and the modules in them
    INCLUDED_FILES = "included-files"  # `a/b.h` is a path from the file or from a root
    REQUIRED_FILES = "required-files"  # the same without an extension


class ManifestFormat(StrEnum):
    """The format of a manifest, each of which locates modules in its own way."""

    PACKAGE = "package-json"  # names, entries, exports, imports and workspaces of packages
    PNPM_WORKSPACE = "pnpm-workspace"  # packages of a repository that import each other
    COMPILER_PATHS = "tsconfig"  # `baseUrl`, `paths` and `rootDirs`
    GO_MODULE = "go-mod"  # paths of modules, and local replacements
    CRATE = "cargo-toml"  # names, roots and path dependencies of crates
    PROJECT = "pyproject-toml"  # folders of packages
    SETUP = "setup-cfg"  # the same
    AUTOLOAD = "composer-json"  # folders of namespaces
    MAVEN = "pom-xml"  # names and dependencies of packages, as the following
    GRADLE = "gradle-build"
    GRADLE_SETTINGS = "gradle-settings"
    GEMSPEC = "gemspec"
    NUGET = "csproj"
    SWIFT_PACKAGE = "package-swift"


class Ecosystem(StrEnum):
    """The registry of a package's name."""

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
    """The kind of a use of one definition by another."""

    CALLS = "calls"
    IMPORTS = "imports"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    OVERRIDES = "overrides"
    READS = "reads"
    WRITES = "writes"
    TYPES = "types"  # as the type of something
    DECORATES = "decorates"  # is decorated with it
    EXPORTS = "exports"


class ReachWord(StrEnum):
    """The relation between neighbours on the way from a test to what it reaches."""

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
    """The attention that a change deserves, by its score."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class RiskFactor(StrEnum):
    """A factor of the risk of a change."""

    USERS = "users"
    UNCHANGED_USERS = "unchanged users"  # of a changed interface
    INTERFACE = "interface"
    TESTS = "tests"  # none
    CHURN = "churn"
    SIZE = "size"


class CollapsedWord(StrEnum):
    """The reason that a change needs only one line in a review."""

    MOVED = "moved"
    RENAMED = "renamed"
    REFORMATTED = "reformatted"  # layout and comments
    DOCUMENTED = "documented"  # only documentation


class ReviewBasis(StrEnum):
    """The origin of a review's base."""

    NAMED = "named"
    MERGE_BASE = "merge base"  # with the target branch
    HEAD = "HEAD"  # for uncommitted changes


class ContextPart(StrEnum):
    """The role of a part of a context, in the order of priority."""

    DEFINITION = "definition"
    NOTES = "notes"
    CONTAINER = "container"
    USES = "uses"  # signatures of used definitions
    USERS = "users"  # lines that use it
    TESTS = "tests"
    DERIVATIONS = "derivations"  # origins and copies of its code
    SIBLINGS = "siblings"  # other members of its container
    SOURCES = "sources"  # of used definitions, if the budget allows


class Resolution(StrEnum):
    """The way in which the target of an edge was found, the surest first."""

    EXACT = "exact"  # in the same file
    IMPORT = "import"  # by an import, or in the folder of one package
    HIERARCHY = "hierarchy"  # in a base of the receiver's known type
    DISPATCH = "dispatch"  # all implementations of the receiver's type
    NAME = "name"  # by name only, which others may share
    EXTERNAL = "external"  # outside of the repository, by an import
    UNRESOLVED = "unresolved"


class UnusedDoubt(StrEnum):
    """The reason that something without known users may be used, the strongest first."""

    TEST = "test"  # Test runners find it by name.
    SPECIAL = "special name"  # The language or its library uses this name.
    ENTRY_POINT = "entry point"  # A program starts there, or a manifest names it.
    DECORATED = "decorated"  # A decorator may register it.
    IMPORTED = "imported"  # Another file imports it, perhaps for others.
    NAMED = "named in code"  # Another definition may be meant.
    QUOTED = "named in a string"
    OTHER_FILE = "named in another language"  # a template, document or query
    BASE_OUTSIDE = "base outside"  # A base class outside of the repository may use it.
    DOCUMENTATION = "in documentation"  # code of a document or an example
    GENERATED = "in generated code"
    PUBLIC = "public"  # Other repositories may use it.


class RefStatus(StrEnum):
    """The result of resolving a REF."""

    PRESENT = "present"
    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class SubscriptionTarget(StrEnum):
    """The target of a subscription."""

    ENTITY = "entity"
    LINES = "lines"
    PATTERN = "pattern"  # all entities whose path and name match
    USERS = "users"  # callers and importers of an entity


class SubscriptionHome(StrEnum):
    """The place of a subscription or a note: the index for personal ones, or the repository for a team."""

    PERSONAL = "index"
    TEAM = "team"


class NoteMatch(StrEnum):
    """The name by which the entity of a note was found, the surest first."""

    MARK = "mark"
    KEY = "key"
    NAME = "name"  # path and qualified name


class ChangeType(StrEnum):
    """The kind of change that a trigger reports, the gravest first."""

    MISSING = "MISSING"
    AMBIGUOUS = "AMBIGUOUS"
    STRUCTURAL = "STRUCTURAL"
    CONTENT = "CONTENT"
    AGGREGATE = "AGGREGATE"  # of members, matches or users
    COSMETIC = "COSMETIC"  # formatting, comments and documentation


class ScanReason(StrEnum):
    """The reason that a subscription triggered, or should be moved."""

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
    """The state that a trigger compares with: the named base, or the accepted one if that lacks the target."""

    BASE = "base"
    ACCEPTED = "accepted"


class Muted(StrEnum):
    """The reason that a finding is not reported."""

    COSMETIC = "cosmetic"
    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"


class AnchorVerdict(StrEnum):
    """The fate of what an anchor names, by the boldest word that fits."""

    UNCHANGED = "unchanged"  # but perhaps for layout and comments
    CHANGED = "changed"
    MOVED = "moved"  # to another file or container
    RENAMED = "renamed"
    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class AnchorWay(StrEnum):
    """The evidence by which an anchor was resolved, from surest to boldest."""

    LEDGER = "ledger"  # the index knows its mark or key
    PLACE = "place"  # the same name is in the same place
    HISTORY = "history"  # git shows what became of the name
    FINGERPRINTS = "fingerprints"


class FindingState(StrEnum):
    """The state of a result against an earlier run, in the words of SARIF."""

    NEW = "new"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    ABSENT = "absent"


class AnchorStatus(StrEnum):
    """The state of a definition that a document names."""

    CURRENT = "current"
    CHANGED = "changed"
    MOVED = "moved"
    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class WebhookFormat(StrEnum):
    """The format of messages to a webhook."""

    JSON = "json"
    SLACK = "slack"
    TEAMS = "teams"


class DeliveryState(StrEnum):
    """The state of a message's delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"


class RefreshResult(StrEnum):
    """The result of refreshing a repository of a fleet."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    EMPTY = "empty"  # without commits
    FAILED = "failed"


class FleetState(StrEnum):
    """The state of a repository of a fleet."""

    NEW = "new"
    CURRENT = "current"
    BEHIND = "behind"
    FAILED = "failed"
