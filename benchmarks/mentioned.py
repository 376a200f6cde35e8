"""Names that a search finds in code and that the graph does not list as a use, not even as a possible one.

    python benchmarks/mentioned.py REPOSITORY ... [--errors N] [--every N]

Takes each repository's worktree. The judge reads words on its own: by `tokenize` in Python, elsewhere by a regular
expression after strings and comments are blanked. A word counts if a definition of the repository has its name and it
is taken from something (`x.name`), so that it is no variable; imports are left out. It is listed if its line has a
definition of that name, or if there is a reference by it that leads to a definition, to candidates or out of the
repository, on its line or where its chain of calls may start.
"""

from __future__ import annotations

import argparse
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from callgraph import OutlineGraph

from birthmark.app.workspace.repository import open_repository
from birthmark.graph.reading.references import GIVES_NAME
from birthmark.graph.resolve import Resolver
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import Resolution

LANGUAGES = frozenset({"python", "javascript", "typescript", "java", "go", "rust"})
OPAQUE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|`[^`]*`|(?<=[=(,:\[!&|?{};\n])\s*/(?![/*])(?:[^/\\\n]|\\.)+/""",
    re.S,
)
IMPORTING = re.compile(r"\s*(?:import|from|use|package|pub use)\b")
LOOK_BACK = 30  # lines to the start of a chain


def words(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The lines and names of what is taken from something."""
    if path.endswith(".py"):
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        for before, word in pairwise(tokens):
            if word.type == tokenize.NAME and before.string == "." and not IMPORTING.match(word.line):
                yield word.start[0], word.string
        return
    blank = OPAQUE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for number, line in enumerate(blank.split("\n"), 1):
        if not IMPORTING.match(line):
            yield from ((number, found[1]) for found in re.finditer(r"(?<!\.)\.\s*([A-Za-z_$][\w$]*)", line))


def unlisted(graph: OutlineGraph, every: int) -> Iterator[tuple[str, str, int, str]]:
    """The words that are not listed: the reason, path, line and name."""
    resolver = Resolver(graph, load_registry().resolution_of)
    at: dict[tuple[str, int, str], bool] = defaultdict(bool)
    paths = sorted(path for path, outline in graph.outlines.items() if outline.language in LANGUAGES)[::every]
    known = set(paths)
    for path, language, source, reference in graph.references():
        if path not in known or reference.edge in GIVES_NAME:
            continue
        resolution = resolver.resolve(path, language, source, reference).resolution
        for name in {reference.name.rstrip("!"), reference.alias or reference.name}:
            at[path, reference.line, name] |= resolution is not Resolution.UNRESOLVED
    for path in paths:
        defined = {(graph.lines[one.identity], one.name.rpartition(":")[2]) for one in graph.inside(path)}
        try:
            found = sorted(set(words(path, graph.files[path].decode())))
        except (SyntaxError, tokenize.TokenError, UnicodeDecodeError):
            continue
        language = graph.outlines[path].language
        for line, name in found:
            if not any(one.language == language for one in graph.names.get(name, ())):
                continue
            places = [(path, before, name) for before in range(line, line - LOOK_BACK, -1)]
            if (line, name) not in defined and not any(at.get(place) for place in places):
                yield "leads nowhere" if any(place in at for place in places) else "not seen", path, line, name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    for repository in options.repositories:
        with open_repository(repository) as opened:
            state = opened.revision("HEAD")
            graph = OutlineGraph({path: state.content(path) or b"" for path in (*state.paths(), *state.manifests())})
        found = list(unlisted(graph, options.every))
        print(repository.name, dict(Counter(reason for reason, *_ in found)))
        for reason, path, line, name in found[:: max(1, len(found) // options.errors)] if options.errors else ():
            print(f"  {reason}: {path}:{line} {name}")


if __name__ == "__main__":
    main()
