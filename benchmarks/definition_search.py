"""Find the lines that define a name, by patterns alone.

It judges what Birthmark says and therefore shares nothing with it: no grammar, only lines that look like a definition
in a family of languages. A name may be found in a comment that is written like code; those who ask compare two states
of a file, in which it is found on both sides.
"""

from __future__ import annotations

import re
from functools import cache

_BRACES = "|".join(("class", "interface", "enum", "record", "object", "struct", "trait", "namespace", "annotation"))
_NO_TYPES = r"(?!\s*(?:return|new|throw|else|case|await|yield|import|package|using|goto|delete|assert|in|is)\b)"
_ACCESS = (
    r"(?:public|private|protected|internal|static|final|readonly|volatile|const|lateinit|override|abstract|declare)"
)
_TYPED = r"(?:[\w@<>\[\],.?&*:]+\s+)+?[*&]*"

# NAME stands for the name; each pattern starts at the start of a line.
_PATTERNS = {
    "python": (
        r"\s*(?:async\s+)?(?:def|class)\s+NAME\b",
        r"\s*NAME\s*(?::[^=\n]+)?=(?!=)",
    ),
    "ecmascript": (
        r"(?:.*\s)?(?:function\s*\*?|class|interface|type|enum|namespace)\s+NAME\b",
        r"(?:export\s+)?(?:default\s+)?(?:const|let|var)\s+NAME\b",
        r"\s*(?:[a-z]+\s+)*[*#]?NAME\s*(?:<[^>]*>)?\([^;]*\{\s*$",
        r"\s*(?:[\w$.]+\.)?NAME\s*[:=]\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)",
        rf"\s*(?:{_ACCESS}\s+)+NAME\s*[?!]?\s*[:=;]",
    ),
    "jvm": (
        rf"(?:.*\s)?(?:{_BRACES}|typealias|delegate)\s+NAME\b",
        r"\s*(?:[\w@]+\s+)*(?:fun|val|var|def)\s+(?:<[^>]*>\s*)?(?:[\w<>?]+\.)?NAME\b",
        rf"{_NO_TYPES}\s*{_TYPED}NAME\s*(?:<[^>]*>)?\((?!.*\)\s*;\s*$)",
        rf"\s*(?:{_ACCESS}\s+)+(?:[\w@<>\[\],.?&]+\s+)+NAME\s*\(",
        rf"\s*(?:{_ACCESS}\s+)+(?:[\w@<>\[\],.?&]+\s+)+NAME\s*(?:=|;|\{{)",
    ),
    "go": (
        r"func\s+(?:\([^)]*\)\s*)?NAME\b",
        r"\s*type\s+NAME\b",
        r"\s*(?:var|const)\s+NAME\b",
        r"\tNAME\s+[\w*\[\].]+",
    ),
    "rust": (
        r"(?:.*\s)?(?:fn|struct|enum|trait|type|mod|const|static|union|macro_rules!)\s+NAME\b",
        r"\s+(?:pub(?:\([^)]*\))?\s+)?NAME\s*:\s",
    ),
    "ruby": (
        r"\s*(?:private\s+)?def\s+(?:self\.)?NAME(?![\w?!=])",
        r"\s*(?:class|module)\s+(?:\w+::)*NAME\b",
        r"\s*NAME\s*=(?!=)",
    ),
    "php": (
        r"(?:.*\s)?function\s+&?NAME\b",
        r"(?:.*\s)?(?:class|interface|trait|enum|const)\s+NAME\b",
        r"\s*(?:(?:public|private|protected|static|readonly|var)\s+)+(?:[?\w\\|]+\s+)?\$NAME\b",
    ),
    "c": (
        r"\s*#\s*define\s+NAME\b",
        rf"(?!\s)(?!.*;\s*$){_NO_TYPES}[\w][\w\s*&:<>,~]*?[\s*&:]NAME\s*\([^;]*$",
        r"\s*(?:typedef\s+)?(?:template\s*<[^>]*>\s*)?(?:struct|class|enum(?:\s+class)?|union|namespace)\s+NAME\b(?!.*;)",
    ),
}
_EXTENSIONS = {
    "python": "py pyi",
    "ecmascript": "js jsx mjs cjs ts tsx mts cts",
    "jvm": "java kt kts cs scala",
    "go": "go",
    "rust": "rs",
    "ruby": "rb",
    "php": "php",
    "c": "c h cc cpp cxx hpp hh",
}
_NAMES = {
    "pyi": "py",
    **dict.fromkeys(("jsx", "mjs", "cjs"), "js"),
    **dict.fromkeys(("tsx", "mts", "cts"), "ts"),
    "kts": "kt",
    **dict.fromkeys(("h", "cc", "cpp", "cxx", "hpp", "hh"), "c"),
}
_FAMILIES = {extension: family for family, names in _EXTENSIONS.items() for extension in names.split()}


def language_of(path: str) -> str | None:
    """The extension that stands for the language of a file, None if it is none of those that are searched."""
    extension = path.rpartition(".")[2]
    return _NAMES.get(extension, extension) if extension in _FAMILIES else None


def find_definitions(name: str, path: str, text: str) -> list[int]:
    """The lines of a file, from 1, that define a name."""
    family = _FAMILIES.get(path.rpartition(".")[2])
    if family is None or name not in text:
        return []
    pattern = _pattern(family, name)
    return [number for number, line in enumerate(text.split("\n"), 1) if name in line and pattern.match(line)]


@cache
def _pattern(family: str, name: str) -> re.Pattern[str]:
    patterns = (pattern.replace("NAME", re.escape(name)) for pattern in _PATTERNS[family])
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
