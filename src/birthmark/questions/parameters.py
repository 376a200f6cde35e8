"""The types of fields that several questions have."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from birthmark.model import KINDS

_MAX_LENGTH = 4096

Ref = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=_MAX_LENGTH,
        title="mark, path:line, path::Name, name, or any id",
        description="A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.",
        extra={"completes": "ref"},
    ),
]
Text = Annotated[str, Meta(min_length=1, max_length=_MAX_LENGTH, pattern=r"^[^\x00]*$")]
REVISION = {"completes": "revision", "metavar": "REV"}
At = Annotated[str | None, Meta(title="revision", description="A revision.", extra=REVISION)]
Path = Annotated[
    str | None,
    Meta(
        description="A file or folder, relative to the root of the repository; all of it if left out.",
        extra={"completes": "path"},
    ),
]
Paths = Annotated[
    tuple[str, ...],
    Meta(
        title="file, folder or pattern; ! excludes",
        description="Only these files, folders or patterns; with `!` in front, not these.",
        extra={"metavar": "GLOB"},
    ),
]
Folders = Annotated[
    tuple[str, ...], Meta(description="Only these files or folders.", extra={"completes": "path", "metavar": "PATH"})
]
Kinds = Annotated[
    tuple[str, ...],
    Meta(
        title="class, function, …",
        description="Only entities of these kinds: fn, class, …",
        extra={"metavar": "KIND", "words": tuple(KINDS)},
    ),
]
Languages = Annotated[
    tuple[str, ...],
    Meta(
        description="Only entities in these languages.",
        extra={"completes": "language", "metavar": "NAME", "also": ("--lang",)},
    ),
]
Patch = Annotated[
    bool, Meta(title="with changed lines", description="List the lines that differ.", extra={"short": ("-p",)})
]
Since = Annotated[
    str | None,
    Meta(
        title="date or revision",
        description="Only commits after a date as git reads it, or a revision.",
        extra=REVISION,
    ),
]
Until = Annotated[
    str | None, Meta(description="Only commits before a date as git reads it, or up to a revision.", extra=REVISION)
]
Author = Annotated[
    str | None,
    Meta(
        description="Only authors whose name or e-mail matches this extended regular expression, ignoring case.",
        extra={"metavar": "PATTERN"},
    ),
]
Everywhere = Annotated[
    bool,
    Meta(
        title="in all repositories of the database: REPOSITORY//path",
        description="Ask all repositories of the database that --store names.",
    ),
]
AllFiles = Annotated[bool, Meta(description="Include tests, documentation and generated code.")]
WithTests = Annotated[bool, Meta(description="Ignore tests.", extra={"negated": True})]
ByFiles = Annotated[bool, Meta(description="Ask about files instead of definitions.")]
Seconds = Annotated[float, Meta(ge=0.1, le=3600, description="Stop after this time.", extra={"metavar": "SECONDS"})]
