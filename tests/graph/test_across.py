"""Uses of what another repository defines, in several languages, by manifests that depend on it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.graph.edges import ALL_USES
from birthmark.graph.joined_repositories import JoinedPart, JoinedRepositories
from birthmark.graph.manifests.package import depending_folders, packages_around
from birthmark.graph.manifests.readers import packages_of
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import Resolution
from examples import n_examples
from graph_snapshot import Files, Snapshot, resolver_of
from random_sources import MODULES, random_source


def uses_of(own: Files, other: Files, target: str) -> list[str]:
    """The lines of a repository that use what another one defines."""
    ours, theirs = Snapshot(own), Snapshot(other)
    path = target.partition("::")[0]
    (package,) = packages_around(packages_of(theirs.manifests()), path)
    seen = depending_folders(packages_of(ours.manifests()), package)
    part = JoinedPart(1, theirs, package.folder)
    joined = JoinedRepositories(ours, [part], {1: seen}, load_registry().resolution_of)
    edges = joined.users(part, theirs.find(target), ALL_USES)
    return [f"{edge.source_path}:{edge.line} {edge.edge} {edge.resolution}" for edge in edges]


def uses_through(own: Files, between: Files, other: Files, target: str) -> list[str]:
    """The same where a repository between the two passes it on."""
    ours, passing, theirs = Snapshot(own), Snapshot(between), Snapshot(other)
    (package,) = packages_of(theirs.manifests())
    (passed,) = packages_of(passing.manifests())
    first = JoinedPart(1, theirs, package.folder)
    second = JoinedPart(2, passing, passed.folder, seen={1: depending_folders([passed], package)})
    seen = depending_folders(packages_of(ours.manifests()), passed)
    joined = JoinedRepositories(ours, [first, second], {2: seen}, load_registry().resolution_of)
    alone = JoinedRepositories(
        passing, [first], {1: depending_folders([passed], package)}, load_registry().resolution_of
    )
    assert alone.importing_files(first, theirs.find(target.partition(".close")[0])) == {*passing.paths()}
    names = alone.names_of(first, theirs.find(target))
    edges = joined.users(first, theirs.find(target), ALL_USES, names)
    return [f"{edge.source_path}:{edge.line} {edge.edge} {edge.resolution}" for edge in edges]


PYTHON = {
    "pyproject.toml": '[project]\nname = "Acme_Money"\n',
    "src/money/__init__.py": "from .rounding import round_up\nfrom .account import Account as Account\n",
    "src/money/rounding.py": "def round_up(x):\n    return x\n",
    "src/money/account.py": "class Account:\n    def close(self):\n        pass\n\n    def open(self):\n        pass\n",
}
SHOP = '[project]\nname = "shop"\ndependencies = ["acme-money>=1"]\n'
NPM = {
    "package.json": '{"name": "@acme/dates", "main": "./lib/index.js"}',
    "lib/index.js": "export { day } from './day'\n",
    "lib/day.js": "export function day(x) {\n  return x\n}\n",
}
GO = {
    "go.mod": "module example.com/acme/log\n",
    "sub/print.go": "package sub\n\nfunc Print(x string) {}\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "acme-util"\n',
    "src/lib.rs": "pub mod text;\n",
    "src/text.rs": "pub fn trim_all(x: &str) -> &str { x }\n",
}
JAVA = {
    "pom.xml": "<project><groupId>com.acme</groupId><artifactId>base</artifactId></project>",
    "src/main/java/com/acme/base/Texts.java": (
        "package com.acme.base;\npublic class Texts {\n    public static String trim(String x) { return x; }\n}\n"
    ),
}
POM = """<project><groupId>com.acme</groupId><artifactId>shop</artifactId><dependencies><dependency>
<groupId>com.acme</groupId><artifactId>base</artifactId></dependency></dependencies></project>"""

CASES: dict[str, tuple[Files, Files, str, list[str]]] = {
    "python: a name that a package passes on": (
        {"pyproject.toml": SHOP, "shop/a.py": "from money import round_up\n\ndef f():\n    return round_up(1)\n"},
        PYTHON,
        "src/money/rounding.py::round_up",
        ["shop/a.py:1 imports import", "shop/a.py:4 calls import"],
    ),
    "python: a member of a module": (
        {"pyproject.toml": SHOP, "a.py": "import money.rounding as r\n\nr.round_up(2)\n"},
        PYTHON,
        "src/money/rounding.py::round_up",
        ["a.py:3 calls import"],
    ),
    "python: a method of an object of a class": (
        {"pyproject.toml": SHOP, "a.py": "from money import Account\n\n\ndef f(x: Account):\n    x.close()\n"},
        PYTHON,
        "src/money/account.py::Account.close",
        ["a.py:5 calls import"],
    ),
    "python: a subclass, and a method that overrides one": (
        {
            "pyproject.toml": SHOP,
            "a.py": "import money\n\n\nclass Mine(money.Account):\n    def close(self):\n        super().close()\n",
        },
        PYTHON,
        "src/money/account.py::Account.close",
        ["a.py:5 overrides import", "a.py:6 calls hierarchy"],
    ),
    "python: no dependency": (
        {
            "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["other"]\n',
            "a.py": "from money import round_up\nround_up(1)\n",
        },
        PYTHON,
        "src/money/rounding.py::round_up",
        [],
    ),
    "python: no manifest": (
        {"a.py": "from money import round_up\nround_up(1)\n"},
        PYTHON,
        "src/money/rounding.py::round_up",
        ["a.py:1 imports import", "a.py:2 calls import"],
    ),
    "python: only the folder of the manifest that depends on it": (
        {
            "one/pyproject.toml": SHOP,
            "one/a.py": "import money\nmoney.round_up(1)\n",
            "two/pyproject.toml": '[project]\nname = "two"\n',
            "two/b.py": "import money\nmoney.round_up(1)\n",
        },
        PYTHON,
        "src/money/rounding.py::round_up",
        ["one/a.py:2 calls import"],
    ),
    "python: a module of its own comes first": (
        {
            "pyproject.toml": SHOP,
            "money/__init__.py": "def round_up(x):\n    pass\n",
            "a.py": "from money import round_up\nround_up(1)\n",
        },
        PYTHON,
        "src/money/rounding.py::round_up",
        [],
    ),
    "python: by name only where something of it is imported": (
        {
            "pyproject.toml": SHOP,
            "a.py": "def f(x):\n    x.close()\n",
            "b.py": "import money\n\n\ndef f(x):\n    x.close()\n",
        },
        PYTHON,
        "src/money/account.py::Account.close",
        ["b.py:5 calls name"],
    ),
    "javascript: what the entry passes on, into typescript": (
        {
            "package.json": '{"name": "shop", "dependencies": {"@acme/dates": "^1"}}',
            "src/a.ts": "import { day as today } from '@acme/dates'\n\ntoday(1)\n",
        },
        NPM,
        "lib/day.js::day",
        ["src/a.ts:1 imports import", "src/a.ts:3 calls import"],
    ),
    "javascript: a package of a monorepo": (
        {
            "package.json": '{"name": "shop", "devDependencies": {"@acme/dates": "^1"}}',
            "a.js": "const { day } = require('@acme/dates/lib/day')\nday(1)\n",
        },
        {
            "package.json": '{"private": true, "workspaces": ["packages/*"]}',
            **{f"packages/dates/{path}": text for path, text in NPM.items()},
        },
        "packages/dates/lib/day.js::day",
        ["a.js:1 imports import", "a.js:2 calls import"],
    ),
    "go: the folder of an import path": (
        {
            "go.mod": "module example.com/shop\n\nrequire example.com/acme/log v1.2.3\n",
            "a.go": 'package shop\n\nimport "example.com/acme/log/sub"\n\nfunc f() {\n\tsub.Print("")\n}\n',
        },
        GO,
        "sub/print.go::Print",
        ["a.go:6 calls import"],
    ),
    "rust: a crate with a dash in its name": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n\n[dependencies]\nacme-util = "1"\n',
            "src/main.rs": 'use acme_util::text::trim_all;\n\nfn main() {\n    trim_all("");\n}\n',
        },
        RUST,
        "src/text.rs::trim_all",
        ["src/main.rs:1 imports import", "src/main.rs:4 calls import"],
    ),
    "rust: a dependency that is called otherwise here": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n\n[dependencies.old-util]\npackage = "acme-util"\n',
            "src/main.rs": 'fn main() {\n    old_util::text::trim_all("");\n}\n',
        },
        RUST,
        "src/text.rs::trim_all",
        ["src/main.rs:2 calls import"],
    ),
    "javascript: a dependency that is called otherwise here": (
        {
            "package.json": '{"name": "shop", "dependencies": {"old": "npm:@acme/dates@^1"}}',
            "a.js": "import { day } from 'old'\nimport other from 'older'\nday(1)\n",
        },
        NPM,
        "lib/day.js::day",
        ["a.js:1 imports import", "a.js:3 calls import"],
    ),
    "java: a class of another package": (
        {
            "pom.xml": POM,
            "src/main/java/com/acme/shop/A.java": (
                'package com.acme.shop;\nimport com.acme.base.Texts;\nclass A {\n    void f() { Texts.trim(""); }\n}\n'
            ),
        },
        JAVA,
        "src/main/java/com/acme/base/Texts.java::Texts.trim",
        ["src/main/java/com/acme/shop/A.java:4 calls import"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_uses_across(case: str) -> None:
    own, other, target, expected = CASES[case]
    assert uses_of(own, other, target) == expected


def test_hostile_names_of_paths_lead_nowhere() -> None:
    """A path cannot be taken for one of another repository, however it is written."""
    own = {"pyproject.toml": SHOP, "\u2400/1/a.py": "from money import round_up\nround_up(1)\n"}
    assert uses_of(own, PYTHON, "src/money/rounding.py::round_up") == [
        "\u2400/1/a.py:1 imports import",
        "\u2400/1/a.py:2 calls import",
    ]


OFFICE = '[project]\nname = "office"\ndependencies = ["shop"]\n'
PASSED_ON = [
    (
        {"pyproject.toml": OFFICE, "o.py": "from shop import round_up\n\nround_up(1)\n"},
        {"pyproject.toml": SHOP, "shop/__init__.py": "from money import round_up\n"},
        (PYTHON, "src/money/rounding.py::round_up"),
        ["o.py:1 imports import", "o.py:3 calls import"],
    ),
    (
        {"pyproject.toml": OFFICE, "o.py": "import shop\n\nshop.up(1)\n"},
        {"pyproject.toml": SHOP, "shop/__init__.py": "from money import round_up as up\n"},
        (PYTHON, "src/money/rounding.py::round_up"),
        ["o.py:3 calls import"],
    ),
    (
        {"pyproject.toml": OFFICE, "o.py": "from shop import Account\n\n\ndef f():\n    Account().close()\n"},
        {"pyproject.toml": SHOP, "shop/__init__.py": "from money import Account\n"},
        (PYTHON, "src/money/account.py::Account.close"),
        ["o.py:5 calls import"],
    ),
    (
        {"pyproject.toml": OFFICE, "o.py": "from money import round_up\n\nround_up(1)\n"},
        {"pyproject.toml": SHOP, "shop/__init__.py": "from money import round_up\n"},
        (PYTHON, "src/money/rounding.py::round_up"),
        [],
    ),
    (
        {
            "package.json": '{"name": "page", "dependencies": {"site": "1"}}',
            "p.ts": "import { day } from 'site'\nday(1)\n",
        },
        {
            "package.json": '{"name": "site", "main": "./i.js", "dependencies": {"@acme/dates": "1"}}',
            "i.js": "export { day } from '@acme/dates'\n",
        },
        (NPM, "lib/day.js::day"),
        ["p.ts:1 imports import", "p.ts:2 calls import"],
    ),
    (
        {
            "package.json": '{"name": "page", "dependencies": {"site": "1"}}',
            "p.ts": "import { day } from 'site'\nday(1)\n",
        },
        {
            "package.json": '{"name": "site", "main": "./i.js", "dependencies": {"@acme/dates": "1"}}',
            "i.js": "export * from '@acme/dates'\n",
        },
        (NPM, "lib/day.js::day"),
        ["p.ts:1 imports import", "p.ts:2 calls import"],
    ),
    (
        {
            "Cargo.toml": '[package]\nname = "app"\n[dependencies]\nmid = "1"\n',
            "src/main.rs": 'use mid::trim_all;\nfn main() { trim_all(""); }\n',
        },
        {
            "Cargo.toml": '[package]\nname = "mid"\n[dependencies]\nacme-util = "1"\n',
            "src/lib.rs": "pub use acme_util::text::trim_all;\n",
        },
        (RUST, "src/text.rs::trim_all"),
        ["src/main.rs:1 imports import", "src/main.rs:2 calls import"],
    ),
]


@pytest.mark.parametrize(("own", "between", "other", "expected"), PASSED_ON)
def test_what_a_repository_passes_on_is_followed(
    own: Files, between: Files, other: tuple[Files, str], expected: list[str]
) -> None:
    assert uses_through(own, between, *other) == expected


def without_imports(source: str) -> str:
    """What does not depend on the files beside it."""
    return "".join(line for line in source.splitlines(keepends=True) if "import" not in line)


@settings(max_examples=n_examples(100), deadline=None)
@given(st.fixed_dictionaries({f"{module}.py": random_source for module in MODULES}))
def test_a_file_in_a_repository_of_its_own_is_found_as_if_it_were_beside(files: Files) -> None:
    last = sorted(files)[-1]
    files = {path: without_imports(source) if path == last else source for path, source in files.items()}
    whole = Snapshot(files)
    own, other = Snapshot({path: files[path] for path in files if path != last}), Snapshot({last: files[last]})
    part = JoinedPart(1, other)
    joined = JoinedRepositories(own, [part], {1: None}, load_registry().resolution_of)
    together = [one for one in whole.all_references() if one[0] != last]
    apart = [*own.all_references()]
    alone = resolver_of(whole)
    for one, split in zip(together, apart, strict=True):
        before, after = alone.resolve(*one), joined.resolver.resolve(*split)
        if [target.path for target in before.targets] == [last] and before.resolution is not Resolution.NAME:
            found = [part.take(target) for target in after.targets]
            assert [(after.resolution, one.path, one.qualified_name) for one in found] == [
                (before.resolution, last, before.targets[0].qualified_name)
            ]
