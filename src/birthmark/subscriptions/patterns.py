"""Patterns of subscriptions: `api/**::*Controller.*` is about what is in some paths, under some names."""

from __future__ import annotations

import fnmatch
import re
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.queries.ref_forms import PatternRef, parse_ref
from birthmark.sources.globs import Glob, read_glob


class SubscriptionPattern(NamedTuple):
    """`api/**::*Controller.*`: which paths, and which qualified names in them."""

    glob: Glob
    regex: re.Pattern[bytes]
    names: re.Pattern[str]

    def has_path(self, path: str) -> bool:
        subject = path.rpartition("/")[2] if self.glob.is_bare else path
        return self.regex.fullmatch(subject.encode("utf-8", "surrogateescape")) is not None

    def has_name(self, qualified_name: str) -> bool:
        return self.names.fullmatch(qualified_name) is not None


def read_pattern(ref: str) -> SubscriptionPattern:
    parsed = parse_ref(ref)
    paths, names = (parsed.paths, parsed.names) if isinstance(parsed, PatternRef) else ("", "")
    glob = read_glob((paths or "**").encode("utf-8", "surrogateescape"))
    if glob is None or not isinstance(parsed, PatternRef):
        raise BirthmarkError(f"{ref}: is no pattern; write one as in 'api/**::*Controller.*'")
    return SubscriptionPattern(glob, re.compile(glob.regex, re.S), re.compile(fnmatch.translate(names or "*")))
