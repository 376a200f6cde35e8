"""The topics of `birthmark help TOPIC`, with which the reference begins: REFs, revisions, exit codes."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.queries.pasted_places import PLACES

EXIT_CODES = {
    0: "success",
    1: "findings, where they are asked for: with `--exit-code`, and from `validate`",
    2: "bad usage or input, or nothing that was named is there; one line says what to do",
    3: "failure; one line says where the details are",
    130: "stopped with Ctrl-C; `watch` and `serve`, which end that way, exit with 0",
    141: "whatever read the output has closed it, as `| head` does; the command died of SIGPIPE",
    143: "ended by SIGTERM; 129 by SIGHUP, as where a terminal is closed",
}


class Topic(NamedTuple):
    """A title, a table of things with their meanings, and paragraphs that follow."""

    title: str
    rows: tuple[tuple[str, str], ...]
    paragraphs: tuple[str, ...] = ()


TOPICS = {
    "refs": Topic(
        "What a REF is",
        (
            ("App.run", "a qualified name, or the end of one, that is unique"),
            ("src/app.py::App.run", "a qualified name in a file"),
            ("App.run(int, Reader)", "an overload, by the types of its parameters or by their names"),
            ("shop.app.App.run", "a name with its package in front"),
            ("Shop::App#run()", "a name with the separators of any language, or as a call"),
            ("tests/test_app.py::TestApp::test_run[1-2]", "a test, as pytest names it"),
            ("src/app.py:120", "the innermost entity at a line"),
            ("src/app.py:120-140", "the entity that has these lines"),
            ("bm-7k3q9w2m4x8p", "a mark, which never changes"),
            ("python:method:run:App:__src_app_py:T1706284800", "a key, present or former"),
            ("src/app.py->FUNCTION->run[in:App]", "a semantic id, also that of a call, an import or a variable"),
            ("ck64:v1:repo:src/app.py:02f15b7570028d75:…", "the uid of a chunk"),
            ("bma1-nadzaG9wLnB5qkNhcnQ…", "an anchor, made in any clone"),
            *((form.example, form.meaning) for form in PLACES),
        ),
        (
            "A path is relative to the current folder, or to the root of the repository if it is written as `:/path` "
            "or `:path`, as in git; it may be absolute. Names and paths that an entity once had are understood as "
            "well. A class that inherits a member stands for the class that defines it.",
            "A name that is written exactly so goes before one that ends so, and that before one with a package in "
            "front. Lines of a permalink are those of its commit, which this clone must have: no address is asked. The "
            "path in a stack trace may begin with folders of another machine.",
            "Lines and names are those of the revision that `--at` names, else those of the worktree. `subscribe` also "
            "takes `paths::names` with wildcards, and stores a REF relative to the root.",
        ),
    ),
    "revisions": Topic(
        "What a revision is",
        (
            ("main, v1.0, origin/main", "a branch, a tag, a branch of a remote"),
            ("HEAD~3, v1.0^, @{upstream}, :/Fix", "whatever git understands"),
            ("3f2a9c1", "a commit, or the beginning of its id"),
            ("A..B, A...B", "for `diff`: from A to B; from where they parted to B"),
            ("'2 weeks ago', 2026-01-31", "the last commit before a date, as git reads dates"),
        ),
    ),
    "exit-codes": Topic(
        "What a command exits with",
        tuple((str(code), meaning) for code, meaning in EXIT_CODES.items()),
    ),
}
