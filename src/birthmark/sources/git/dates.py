"""Dates as git reads them: `2 weeks ago`, `yesterday`, `last friday`, `2024-01-31 12:00 +0100`, `@1700000000`.

Takes what a user wrote; says whether it is a date, and asks git which. Git reads any text as some date ("v9.9" is the
ninth of September, "garbage" is now), so only texts all of whose words are those of dates are passed on.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name, monthrange

from birthmark.errors import BirthmarkError
from birthmark.sources.git.repository import GitRepository

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
_DOTS = re.compile(r"(?<=[a-z])\.|\.(?=[a-z])")  # `2.weeks.ago`, as is usual where spaces need quotes


def parse_date(repository: GitRepository, text: str) -> int:
    """The time of a date in seconds since 1970; where no time of day is given, at the present one, as in git."""
    if not is_date(text):
        raise BirthmarkError(
            f"{text!r} is not a date as git reads them; write it like '2 weeks ago', 'yesterday' or 2024-01-31"
        )
    return int(repository.run("rev-parse", f"--since={text.strip()}").strip().removeprefix(b"--max-age="))


def is_date(text: str) -> bool:
    """Whether all words are those of a date, and at least one of them names a day."""
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
    """Git reads `weeks ago` as now."""
    before = ("", *words)
    return all(before[i] in _NUMBERS or before[i].isdigit() for i, word in enumerate(words) if word in _UNITS)
