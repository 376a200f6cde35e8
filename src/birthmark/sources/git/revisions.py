"""Revisions as people write them: in every form of git, as ranges, and as dates.

Takes a text and an open GitRepository; returns the id of a commit. If git does not know the text as a revision, a date
stands for the last commit before it on HEAD's first-parent line. Texts reach git on standard input or behind
`--since=`, so that none can be an option.

`parse_date` takes the forms of git: `2 weeks ago`, `last friday`, `2024-01-31 12:00 +0100`, `@1700000000`. Git reads
any text as some date ("v9.9" is the ninth of September, "garbage" is now), so only texts that consist of words of dates
are passed on.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name, monthrange
from typing import NamedTuple

from birthmark.errors import AmbiguousError, BirthmarkError, NotFoundError
from birthmark.sources.git.log import read_commit
from birthmark.sources.git.repository import GitRepository
from birthmark.words import did_you_mean

_RANGE = re.compile(r"(?P<base>[^{]*?(?:\{[^}]*\}[^{]*?)*)(?P<dots>\.\.\.?)(?P<target>[^.].*|)", re.S)
_ONE_COMMIT = re.compile(r"(?P<commit>.+)\^(?:!|-(?P<parent>\d*))", re.S)
_BACK = re.compile(r"(?P<start>.+?)(?:[~^]\d*)+", re.S)
_PARENT = re.compile(r"(?P<commit>.+?)[~^]1?", re.S)
_HEXADECIMAL = re.compile(r"[0-9a-f]{4,40}")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_NAMES = [name.lower() for name in (*month_name, *day_name) if name]
_DAYS = {"now", "today", "yesterday", "never", *_NAMES, *(name[:3] for name in _NAMES), "sept", "tues", "thurs"}
_UNITS = {f"{unit}{end}" for unit in ("second", "minute", "hour", "day", "week", "month", "year") for end in ("", "s")}
_NUMBERS = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "last"}
_OTHERS = {"ago", "at", "on", "noon", "midnight", "tea", "am", "pm", "z", "utc", "gmt"}
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?"
_ZONE = r"z|[+-]\d{2}:?\d{2}"
_NUMERIC = re.compile(rf"\d{{1,4}}|\d{{1,2}}(?:am|pm|st|nd|rd|th)|{_TIME}(?:{_ZONE})?|[+-]\d{{2}}:?\d{{2}}")
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}})(?:t{_TIME}(?:{_ZONE})?)?")
_YEAR_LAST = re.compile(r"\d{1,2}([-/.])\d{1,2}\1\d{4}")
_SECONDS = re.compile(r"@\d{1,12}(?: [+-]\d{4})?")
_DOTS = re.compile(r"(?<=[a-z])\.|\.(?=[a-z])")  # `2.weeks.ago`, to avoid quotes


class RevisionRange(NamedTuple):
    """Two revisions to compare; with `from_merge_base`, the merge base replaces the base."""

    base: str
    target: str
    from_merge_base: bool = False


def parse_range(text: str) -> RevisionRange | None:
    """Parse `A..B`, `A...B` (an omitted side is HEAD), `A^!` or `A^-2`; None for a single revision."""
    if found := _ONE_COMMIT.fullmatch(text):
        return RevisionRange(f"{found['commit']}^{found['parent'] or 1}", found["commit"])
    found = None if text.startswith(":") else _RANGE.fullmatch(text)
    if found is None or text in ("..", "...") or text.startswith("../"):
        return None
    return RevisionRange(found["base"] or "HEAD", found["target"] or "HEAD", found["dots"] == "...")


def resolve_range(repository: GitRepository, given: RevisionRange) -> tuple[str, str]:
    """Return the commits to compare."""
    base, target = resolve_revision(repository, given.base), resolve_revision(repository, given.target)
    if not given.from_merge_base:
        return base, target
    common = repository.merge_base(base, target)
    if common is None:
        raise NotFoundError(f"{given.base!r} and {given.target!r} have no common ancestor; write `..` to compare them")
    return common, target


def is_before_first(repository: GitRepository, text: str) -> bool:
    """Return True for the parent of a commit without parents, as `C^` of the first one."""
    asked = _PARENT.fullmatch(text)
    commit = repository.find(asked["commit"]) if asked is not None else None
    return commit is not None and commit not in repository.shallow() and not read_commit(repository, commit).parents


def resolve_revision(repository: GitRepository, text: str) -> str:
    """Return the commit of a revision or a date."""
    found = repository.find(text)
    if found is not None:
        return found
    if parse_range(text) is not None:
        raise BirthmarkError(f"{text!r} is a range of revisions; name one revision")
    if is_date(text):
        return _commit_before(repository, text)
    raise _unknown(repository, text)


def _commit_before(repository: GitRepository, text: str) -> str:
    head, seconds = _head(repository, text), parse_date(repository, text)
    options = ("--max-count=1", "--first-parent", f"--before={seconds}")
    found = repository.run("rev-list", *options, head, "--").decode().strip()
    if not found:
        raise NotFoundError(f"there is no commit before {text!r}; the history{_of_shallow(repository)} begins later")
    return found


def _head(repository: GitRepository, text: str) -> str:
    head = repository.head()
    if head is None:
        raise NotFoundError(f"{text!r} cannot be found, for there is no commit yet; make the first one")
    return head


def _unknown(repository: GitRepository, text: str) -> BirthmarkError:
    """Return the error for an unknown revision, with suggestions."""
    if repository.head() is None and text.startswith(("HEAD", "@")):
        return NotFoundError(f"{text!r}: there is no commit yet; make the first one")
    if _ID.fullmatch(text):
        return NotFoundError(f"unknown revision {text!r}; this clone does not have that commit, fetch it")
    if _HEXADECIMAL.fullmatch(text) and (choices := _commits_like(repository, text)):
        return AmbiguousError(f"{text!r} is the beginning of several commits; write more of it", choices)
    if too_far := _too_far(repository, text):
        return NotFoundError(too_far)
    hint = did_you_mean(text, repository.ref_names()) or "; name a branch, a tag, a commit or a date"
    return NotFoundError(f"unknown revision {text!r}{hint}")


def _commits_like(repository: GitRepository, text: str) -> list[str]:
    """Return commits whose ids begin with a text, with subjects, if there are several."""
    commits = [read_commit(repository, commit) for commit in repository.commits_beginning(text)]
    return [f"{commit.id[:12]}  {commit.subject}" for commit in commits] if len(commits) > 1 else []


def _too_far(repository: GitRepository, text: str) -> str | None:
    """Describe a revision such as `HEAD~9` if HEAD has only three ancestors."""
    found = _BACK.fullmatch(text)
    start = repository.find(found["start"]) if found is not None else None
    if found is None or start is None:
        return None
    n_commits = int(repository.run("rev-list", "--count", "--first-parent", start, "--"))
    known = f"the line of first parents of {found['start']}{_of_shallow(repository)} has {n_commits:,} commits"
    return f"{text!r} goes back beyond the first commit: {known}"


def _of_shallow(repository: GitRepository) -> str:
    return " of this shallow clone" if repository.shallow() else ""


def parse_date(repository: GitRepository, text: str) -> int:
    """Return a date in seconds since 1970; without a time of day, at the present one, as in git."""
    if not is_date(text):
        raise BirthmarkError(
            f"{text!r} is not a date as git reads them; write it like '2 weeks ago', 'yesterday' or 2024-01-31"
        )
    return int(repository.run("rev-parse", f"--since={text.strip()}").strip().removeprefix(b"--max-age="))


def is_date(text: str) -> bool:
    """Return True if all words belong to dates, and at least one names a day."""
    text = text.strip().lower()
    if not text.isascii() or _SECONDS.fullmatch(text):
        return text.isascii()
    words = _DOTS.sub(" ", text).replace(",", " ").split()
    return all(map(_is_known, words)) and _units_have_numbers(words) and any(map(_names_day, words))


def _is_known(word: str) -> bool:
    if word in _NUMBERS or word in _OTHERS or _NUMERIC.fullmatch(word):
        return True
    return _names_day(word)


def _names_day(word: str) -> bool:
    return word in _DAYS or word in _UNITS or bool(_YEAR_LAST.fullmatch(word)) or _is_calendar_day(word)


def _is_calendar_day(word: str) -> bool:
    found = _YEAR_FIRST.fullmatch(word)
    if found is None:
        return False
    year, month, day = int(found[1]), int(found[3]), int(found[4])
    return year > 0 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _units_have_numbers(words: list[str]) -> bool:
    """Require a number before each unit, because git reads `weeks ago` as now."""
    before = ("", *words)
    return all(before[i] in _NUMBERS or before[i].isdigit() for i, word in enumerate(words) if word in _UNITS)
