"""Imports by the names that manifests give to modules of the repository."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hostile_files import IGNORED
from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.manifests.documents import MOST_CHARACTERS, read_json
from birthmark.graph.manifests.packages import _glob
from birthmark.graph.manifests.readers import digest_of, packages_of, read_manifests, renames_of
from birthmark.graph.manifests.table import ModuleRule, ModuleTable
from birthmark.graph.modules.modules import Module, Modules
from birthmark.languages.registry import load_registry
from graph_snapshot import Files, edges_of

SHOP = '[package]\nname = "my-shop"\n'
APP = '[package]\nname = "app"\n'
JS = "export function open() {}\n"
TS = "export function open(): void {}\n"
SHIM = """if (process.env.NODE_ENV === 'production') {
  module.exports = require('./dist/shop.cjs.prod.js')
} else {
  module.exports = require('./dist/shop.cjs.js')
}
"""
GO = "package till\nfunc Open() {}\n"
RS = "pub fn open() {}\n"
PY = "def open_shop(): ...\n"


def imported(files: Files, path: str) -> list[str]:
    """Where the imports of a file lead, each with its resolution."""
    found = [line for line in edges_of(files) if line.startswith(f"{path}:") and " imports " in line]
    return [line.rpartition(": ")[2] for line in found]


PACKAGES: dict[str, tuple[Files, str, str]] = {
    "main": (
        {"shop/package.json": '{"name": "@acme/shop", "main": "./api"}', "shop/api.js": JS, "shop/index.js": JS},
        "@acme/shop",
        "import shop/api.js::open",
    ),
    "without an entry": (
        {"shop/package.json": '{"name": "shop"}', "shop/index.js": JS},
        "shop",
        "import shop/index.js::open",
    ),
    "module before main": (
        {"s/package.json": '{"name": "shop", "main": "a.js", "module": "b.mjs"}', "s/a.js": JS, "s/b.mjs": JS},
        "shop",
        "import s/b.mjs::open",
    ),
    "what is built is made from sources": (
        {"s/package.json": '{"name": "shop", "main": "dist/cjs/api.js"}', "s/src/api.ts": TS, "s/index.js": JS},
        "shop",
        "import s/src/api.ts::open",
    ),
    "a file of a package": (
        {"s/package.json": '{"name": "shop"}', "s/core.ts": TS},
        "shop/core",
        "import s/core.ts::open",
    ),
    "conditions": (
        {
            "s/package.json": '{"name": "shop", "exports": {"require": "./a.cjs", "import": "./b.mjs"}}',
            "s/a.cjs": JS,
            "s/b.mjs": JS,
        },
        "shop",
        "import s/b.mjs::open",
    ),
    "a subpath": (
        {"s/package.json": '{"name": "shop", "exports": {"./till": {"default": "./lib/t.js"}}}', "s/lib/t.js": JS},
        "shop/till",
        "import s/lib/t.js::open",
    ),
    "a pattern": (
        {"s/package.json": '{"name": "shop", "exports": {"./parts/*": "./src/*.js"}}', "s/src/a/b.js": JS},
        "shop/parts/a/b",
        "import s/src/a/b.js::open",
    ),
    "a folder": (
        {"s/package.json": '{"name": "shop", "exports": {"./parts/": "./src/"}}', "s/src/a.js": JS},
        "shop/parts/a.js",
        "import s/src/a.js::open",
    ),
    "what is not exported": (
        {"s/package.json": '{"name": "shop", "exports": {"./a": "./a.js"}}', "s/a.js": JS, "s/b.js": JS},
        "shop/b",
        "external",
    ),
    "an own import": (
        {"package.json": '{"imports": {"#till/*": "./src/till/*.js", "#x": "chalk"}}', "src/till/a.js": JS},
        "#till/a",
        "import src/till/a.js::open",
    ),
    "an own import of something else": ({"package.json": '{"imports": {"#x": "chalk"}}'}, "#x", "external"),
    "a package itself": (
        {"package.json": '{"name": "shop", "main": "lib/shop"}', "lib/shop.js": JS},
        "shop",
        "import lib/shop.js::open",
    ),
    "a folder with a manifest": (
        {"lib/package.json": '{"main": "deep/shop.js"}', "lib/deep/shop.js": JS},
        "../lib",
        "import lib/deep/shop.js::open",
    ),
    "another package": ({"s/package.json": '{"name": "shop"}', "s/index.js": JS}, "shops", "external"),
    "the standard library": ({"s/package.json": '{"name": "events"}', "s/index.js": JS}, "events", "external"),
    "a broken manifest": ({"s/package.json": '{"name": "shop"', "s/index.js": JS}, "shop", "external"),
    "outside of the repository": (
        {"s/package.json": '{"name": "shop", "main": "../../x.js"}', "x.js": JS},
        "shop",
        "external",
    ),
    "an alias of a path": (
        {"app/package.json": '{"dependencies": {"till": "file:../s"}}', "s/package.json": "{}", "s/index.js": JS},
        "till",
        "import s/index.js::open",
    ),
    "another name": (
        {
            "app/package.json": '{"dependencies": {"till": "workspace:@acme/shop@^1"}}',
            "s/package.json": '{"name": "@acme/shop"}',
            "s/index.js": JS,
        },
        "till",
        "import s/index.js::open",
    ),
    "installed": (
        {"app/node_modules/shop/package.json": '{"main": "x"}', "app/node_modules/shop/x.js": JS},
        "shop",
        "import app/node_modules/shop/x.js::open",
    ),
    "installed elsewhere": (
        {"other/node_modules/shop/package.json": '{"main": "x"}', "other/node_modules/shop/x.js": JS},
        "shop",
        "external",
    ),
    "members of a workspace": (
        {
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/shop/package.json": '{"name": "shop"}',
            "packages/shop/index.js": JS,
        },
        "shop",
        "import packages/shop/index.js::open",
    ),
    "the nearest of one name": (
        {
            "app/x/package.json": '{"name": "shop"}',
            "app/x/index.js": JS,
            "a/package.json": '{"name": "shop"}',
            "a/index.js": JS,
        },
        "shop",
        "import app/x/index.js::open",
    ),
    "no member of the workspace": (
        {
            "package.json": '{"workspaces": {"packages": ["packages/**", "!packages/old"]}}',
            "packages/old/package.json": '{"name": "shop"}',
            "packages/old/index.js": JS,
        },
        "shop",
        "external",
    ),
    "a workspace of pnpm": (
        {
            "pnpm-workspace.yaml": "# ours\npackages:\n  # all\n  - 'libs/*'\n  - \"!libs/x\"\ncatalog:\n  - a\n",
            "libs/shop/package.json": '{"name": "shop"}',
            "libs/shop/index.js": JS,
        },
        "shop",
        "import libs/shop/index.js::open",
    ),
    "no member of a workspace of pnpm": (
        {
            "pnpm-workspace.yaml": "packages: ['libs/*', \"apps/*\"]",
            "old/package.json": '{"name": "shop"}',
            "old/index.js": JS,
        },
        "shop",
        "external",
    ),
    "paths": (
        {"tsconfig.json": '{"compilerOptions": {"paths": {"@shop/*": ["./src/shop/*"]}}}', "src/shop/a.ts": TS},
        "@shop/a",
        "import src/shop/a.ts::open",
    ),
    "paths with comments": (
        {
            "tsconfig.json": """{
                // "compilerOptions": {},
                "compilerOptions": { /* "http://x" */
                    "baseUrl": "./lib", "paths": {"shop": ["../x//y", "the_shop",], "a": ["//b"],},
                },
            }""",
            "lib/the_shop.ts": TS,
        },
        "shop",
        "import lib/the_shop.ts::open",
    ),
    "all of a folder": (
        {"jsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}', "src/shop/index.js": JS},
        "shop",
        "import src/shop/index.js::open",
    ),
    "the alias of a root, where it is another": (
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./resources/*"]}}}',
            "resources/a.ts": TS,
            "src/a.ts": TS,
        },
        "@/a",
        "import resources/a.ts::open",
    ),
    "a path that starts like the standard library": (
        {"tsconfig.json": '{"compilerOptions": {"paths": {"util/*": ["./code/*"]}}}', "code/a.ts": TS},
        "util/a",
        "import code/a.ts::open",
    ),
    "folders that are one": (
        {"tsconfig.json": '{"compilerOptions": {"rootDirs": ["app", "made/app"]}}', "made/app/shop.ts": TS},
        "./shop",
        "import made/app/shop.ts::open",
    ),
    "an extended configuration": (
        {
            "app/tsconfig.json": '{"extends": "../tsconfig.base"}',
            "tsconfig.base.json": '{"compilerOptions": {"paths": {"shop": ["./libs/shop.ts"]}}}',
            "libs/shop.ts": TS,
        },
        "shop",
        "import libs/shop.ts::open",
    ),
    "a configuration in a package": (
        {
            "app/tsconfig.json": '{"extends": ["@acme/config/tsconfig.json"]}',
            "config/package.json": '{"name": "@acme/config"}',
            "config/tsconfig.json": '{"compilerOptions": {"paths": {"shop": ["${configDir}/../libs/shop.ts"]}}}',
            "libs/shop.ts": TS,
        },
        "shop",
        "import libs/shop.ts::open",
    ),
    "a configuration that extends itself": (
        {
            "tsconfig.json": '{"extends": "./tsconfig.json", "compilerOptions": {"baseUrl": "."}}',
            "shop.ts": TS,
        },
        "shop",
        "import shop.ts::open",
    ),
    "a path of the compiler before the entry of a package": (
        {
            "package.json": '{"workspaces": ["libs/*"]}',
            "tsconfig.json": '{"compilerOptions": {"paths": {"@acme/*": ["./libs/*/src"]}}}',
            "libs/shop/package.json": '{"name": "@acme/shop", "main": "index.js"}',
            "libs/shop/index.js": JS,
            "libs/shop/src/index.ts": TS,
        },
        "@acme/shop",
        "import libs/shop/src/index.ts::open",
    ),
    "a path of the compiler that leads nowhere": (
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"shop": ["./dist/shop"]}}}',
            "shop/package.json": '{"name": "shop"}',
            "shop/index.ts": TS,
        },
        "shop",
        "import shop/index.ts::open",
    ),
    "an entry that requires what is built": (
        {"s/package.json": '{"name": "shop", "main": "index.js"}', "s/index.js": SHIM, "s/src/index.ts": TS},
        "shop",
        "import s/src/index.ts::open",
    ),
    "a file that exports what is built": (
        {"s/till.js": "export * from './dist/esm/till.mjs'\n", "s/src/till.ts": TS, "s/src/index.ts": TS},
        "../s/till",
        "import s/src/till.ts::open",
    ),
    "a file that passes one on that requires what is built": (
        {"s/index.mjs": "export * from './index.js'\n", "s/index.js": SHIM, "s/src/index.ts": TS},
        "../s/index.mjs",
        "import s/src/index.ts::open",
    ),
    "a folder like a built one, with a source": (
        {"s/index.js": "export * from './lib/a.js'\n", "s/lib/a.js": JS, "s/src/index.ts": TS},
        "../s",
        "import s/lib/a.js::open",
    ),
    "an entry that does more than to pass on": (
        {"s/index.js": f"{SHIM}exports.open = function open() {{}}\n", "s/src/index.ts": TS},
        "../s",
        "import s/index.js::open",
    ),
    "another project's configuration": (
        {"other/tsconfig.json": '{"compilerOptions": {"baseUrl": "."}}', "other/shop.ts": TS},
        "shop",
        "external",
    ),
}


@pytest.mark.parametrize(("files", "module", "expected"), PACKAGES.values(), ids=PACKAGES)
def test_packages_and_compiler_paths(files: Files, module: str, expected: str) -> None:
    files = {**files, "app/main.ts": f"import {{ open }} from '{module}'\n"}
    assert imported(files, "app/main.ts") == [expected]


GO_MODULES: dict[str, tuple[Files, str, str]] = {
    "the module": (
        {"go.mod": "module acme.org/shop\n\ngo 1.22\n", "till/t.go": GO},
        "acme.org/shop/till",
        "import till",
    ),
    "a nested module": (
        {
            "go.mod": "module acme.org/shop // ours",
            "v2/go.mod": 'module "acme.org/shop/next"',
            "v2/till/t.go": GO,
            "next/till/t.go": GO,
        },
        "acme.org/shop/next/till",
        "import v2/till",
    ),
    "a replacement": (
        {
            "go.mod": "module m\nreplace (\n\tacme.org/other v1.0.0 => ./fork // ours\n\ta.org/x => a.org/y v1\n)\n",
            "fork/go.mod": "module acme.org/fork",
            "fork/till/t.go": GO,
        },
        "acme.org/other/till",
        "import fork/till",
    ),
    "vendored": (
        {"go.mod": "module m", "vendor/acme.org/till/t.go": GO},
        "acme.org/till",
        "import vendor/acme.org/till",
    ),
    "another module with a folder of ours": (
        {"go.mod": "module acme.org/shop", "till/t.go": GO},
        "acme.org/other/till",
        "external",
    ),
    "without a manifest": ({"till/t.go": GO}, "acme.org/shop/till", "import till"),
}


@pytest.mark.parametrize(("files", "module", "expected"), GO_MODULES.values(), ids=GO_MODULES)
def test_go_modules(files: Files, module: str, expected: str) -> None:
    files = {**files, "main.go": f'package main\n\nimport "{module}"\n\nfunc main() {{ till.Open() }}\n'}
    assert imported(files, "main.go") == [expected]


CRATES: dict[str, tuple[Files, str, str]] = {
    "a crate by its name": (
        {"crates/s/Cargo.toml": SHOP, "crates/s/src/lib.rs": RS},
        "use my_shop::open;",
        "import crates/s/src/lib.rs::open",
    ),
    "its library has another name and path": (
        {"s/Cargo.toml": f'{SHOP}[lib]\nname = "shop"\npath = "code/root.rs"', "s/code/root.rs": RS},
        "use shop::open;",
        "import s/code/root.rs::open",
    ),
    "modules of such a library": (
        {
            "s/Cargo.toml": '[package]\nname = "shop"\n[lib]\npath = "code/root.rs"',
            "s/code/root.rs": "pub mod till;",
            "s/code/till.rs": RS,
        },
        "use shop::till::open;",
        "import s/code/till.rs::open",
    ),
    "a renamed dependency": (
        {
            "app/Cargo.toml": f'{APP}[dependencies]\nthe-till = {{ package = "my-shop", path = "../s" }}',
            "s/Cargo.toml": SHOP,
            "s/src/lib.rs": RS,
        },
        "use the_till::open;",
        "import s/src/lib.rs::open",
    ),
    "a renamed dependency of a workspace": (
        {
            "Cargo.toml": '[workspace.dependencies]\ntill = { package = "my-shop", path = "s" }',
            "app/Cargo.toml": f"{APP}[target.x.dependencies]\ntill.workspace = true",
            "s/Cargo.toml": SHOP,
            "s/src/lib.rs": RS,
        },
        "use till::open;",
        "import s/src/lib.rs::open",
    ),
    "one of two crates of a name": (
        {
            "app/Cargo.toml": f'{APP}[dev-dependencies]\nshop = {{ path = "../new" }}',
            "app/old/Cargo.toml": '[package]\nname = "shop"',
            "app/old/src/lib.rs": RS,
            "new/Cargo.toml": '[package]\nname = "shop"',
            "new/src/lib.rs": RS,
        },
        "use shop::open;",
        "import new/src/lib.rs::open",
    ),
    "a broken manifest": (
        {"s/Cargo.toml": '[package\nname = "shop"', "s/src/code.rs": RS},
        "use shop::open;",
        "external",
    ),
}


@pytest.mark.parametrize(("files", "source", "expected"), CRATES.values(), ids=CRATES)
def test_crates(files: Files, source: str, expected: str) -> None:
    assert imported({**files, "app/src/main.rs": f"{source}\nfn main() {{}}\n"}, "app/src/main.rs") == [expected]


def test_a_crate_with_another_root_is_its_own_crate() -> None:
    files = {
        "s/Cargo.toml": '[package]\nname = "shop"\n[lib]\npath = "code/root.rs"',
        "s/code/root.rs": f"pub mod till;\n{RS}",
        "s/code/till.rs": "use crate::open;\nuse super::open;\n",
    }
    assert imported(files, "s/code/till.rs") == ["import s/code/root.rs::open"] * 2


PYPROJECT, SETUP = "pyproject.toml", "setup.cfg"
FOLDER, PACKAGE = "code/shop.py", "code/shop/__init__.py"
PROJECTS = {
    "setuptools, a folder": (PYPROJECT, '[tool.setuptools]\npackage-dir = {"" = "code"}', FOLDER),
    "setuptools, a package": (PYPROJECT, '[tool.setuptools.package-dir]\nshop = "code/x"', "code/x/__init__.py"),
    "setuptools, where": (PYPROJECT, '[tool.setuptools.packages.find]\nwhere = ["code"]', FOLDER),
    "setup.cfg": (SETUP, "[options]\npackage_dir =\n    = code\n", FOLDER),
    "setup.cfg, where": (SETUP, "[options.packages.find]\nwhere = code\n", FOLDER),
    "poetry": (PYPROJECT, '[tool.poetry]\npackages = [{include = "shop", from = "code"}]', PACKAGE),
    "hatch": (PYPROJECT, '[tool.hatch.build.targets.wheel]\npackages = ["code/shop"]', PACKAGE),
    "hatch, sources": (PYPROJECT, '[tool.hatch.build.targets.wheel]\nsources = ["code"]', FOLDER),
    "pdm": (PYPROJECT, '[tool.pdm.build]\npackage-dir = "code"', FOLDER),
    "uv": (PYPROJECT, '[tool.uv.build-backend]\nmodule-root = "code"', FOLDER),
    "maturin": (PYPROJECT, '[tool.maturin]\npython-source = "code"', FOLDER),
    "pytest": (PYPROJECT, '[tool.pytest.ini_options]\npythonpath = "code other"', FOLDER),
}


@pytest.mark.parametrize(("manifest", "text", "place"), PROJECTS.values(), ids=PROJECTS)
def test_projects(manifest: str, text: str, place: str) -> None:
    files = {manifest: text, place: PY, "tests/deep/test_shop.py": "from shop import open_shop\n"}
    assert imported(files, "tests/deep/test_shop.py") == [f"import {place}::open_shop"]


def test_a_package_of_a_project_is_preferred_to_another_of_its_name() -> None:
    files = {
        "pyproject.toml": '[tool.poetry]\npackages = [{include = "shop", from = "code"}]',
        "code/shop/__init__.py": PY,
        "tests/data/shop/__init__.py": PY,
        "tests/data/beside/shop.py": PY,
        "tests/test_shop.py": "from shop import open_shop\n",
        "tests/data/beside/main.py": "from shop import open_shop\n",
    }
    assert imported(files, "tests/test_shop.py") == ["import code/shop/__init__.py::open_shop"]
    assert imported(files, "tests/data/beside/main.py") == ["import tests/data/beside/shop.py::open_shop"]


def test_autoload_chooses_among_types_of_one_name() -> None:
    till = "<?php\nnamespace Acme\\Shop;\nclass Till {}\n"
    files = {
        "composer.json": '{"autoload": {"psr-4": {"Acme\\\\": ["code/", "lib"]}}}',
        "code/Shop/Till.php": till,
        "stubs/Till.php": till,
        "main.php": "<?php\nuse Acme\\Shop\\Till;\nnew Till();\n",
    }
    found = [line for line in edges_of(files) if line.startswith("main.php")]
    assert [line.rpartition(": ")[2] for line in found] == ["import code/Shop/Till.php::Till"] * 2


TEXTS = (
    "package.json", "pnpm-workspace.yaml", "tsconfig.json", "go.mod", "Cargo.toml", "pyproject.toml", "setup.cfg",
    "composer.json",
)  # fmt: skip
KEYS = (
    "name", "main", "exports", "imports", "workspaces", "packages", ".", "./*", "#a", "import", "extends",
    "compilerOptions", "paths", "baseUrl", "dependencies", "autoload", "psr-4", "*", "A\\",
)  # fmt: skip
VALUES = ("", ".", "./a", "../..", "a*b*", "file:..", "workspace:a@1")
WORDS = (
    '{"name"', '"exports"', '"."', '"./a/*"', "*", ":", "{", "}", "[", "]", ",", '"workspaces"', '"paths"', '"extends"',
    '"compilerOptions"', '"imports"', '"#a"', "//", "/*", '"', "\\", "module ", "replace ", "=>", "../", "[package]\n",
    "name = ", "[lib]\n", "[dependencies]\n", "path = ", "[tool.poetry]\n", "packages = ", "[options]\npackage_dir =\n",
    " =", "\n", "null", "1", "\0", "packages:\n", "- a", '"autoload"', '"psr-4"', "'", "[workspace.dependencies]\n",
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
BROKEN = st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=25).map("".join)
ANY_TEXT = BROKEN | JSON.map(json.dumps)


@given(st.dictionaries(st.builds("{}{}".format, st.sampled_from(["", "a/", "a/b/"]), st.sampled_from(TEXTS)), ANY_TEXT))
def test_no_manifest_raises(texts: dict[str, str]) -> None:
    for rules in load_registry().groups.values():
        table = read_manifests(texts, rules)
        for name in ("a", "a/b", "#a", "/a", "crate", "A/b", ""):
            for place in table.places("a/b/c.x", name):
                assert not place.startswith(("/", "../"))


def test_huge_manifests_are_ignored() -> None:
    assert read_json('{"name": "a"}') == {"name": "a"}
    assert read_json('{"name": "a", "x": "' + "x" * MOST_CHARACTERS + '"}') == {}
    assert read_json("[" * 100_000) == {}


def test_the_innermost_rule_is_first_and_then_the_most_exact() -> None:
    rules = [
        ModuleRule("", "*", ("all/*",)),
        ModuleRule("", "a/*", ("a/*",)),
        ModuleRule("", "a/b", ("exact",)),
        ModuleRule("", "a/*/x", ("no",)),
        ModuleRule("deep", "*", ("deep/*",)),
        ModuleRule("other", "a/b", ("no",)),
    ]
    assert [*ModuleTable(rules).places("deep/er/file", "a/b")] == ["deep/a/b", "exact", "a/b", "all/a/b"]
    assert [*ModuleTable().places("a", "a")] == []


def test_manifests_are_read_once_and_only_if_needed() -> None:
    read: list[int] = []

    def manifests() -> Files:
        read.append(1)
        return {"package.json": '{"name": "shop", "main": "b"}'}

    modules = Modules(["a.js", "b.js"], manifests)
    rules = load_registry().resolution_of("javascript")
    assert modules.find(rules, "a.js", "./b") == Module("b.js")
    assert read == []
    assert modules.find(rules, "a.js", "shop") == modules.find(rules, "b.js", "shop") == Module("b.js")
    assert read == [1]


HOSTILE_MANIFESTS = [name for name in IGNORED if not name.endswith((": device", ": pipe"))]


@pytest.mark.parametrize("name", HOSTILE_MANIFESTS)
def test_hostile_manifests_are_read_within_bounds(tmp_path: Path, name: str) -> None:
    IGNORED[name](tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    texts = {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8", "replace") for path in files}
    packages_of(texts)
    renames_of(texts)
    digest_of(texts, load_registry().groups.values())


@given(st.text("ab*/"), st.text("ab/"))
def test_patterns_of_workspaces_match_as_if_all_ways_were_tried(pattern: str, folder: str) -> None:
    parts = re.split(r"(\*\*+/?|\*)", pattern.strip("/"))
    tried = "".join(".*" if part[:2] == "**" else "[^/]*" if part == "*" else part for part in parts)
    assert bool(_glob(pattern).fullmatch(folder)) == bool(re.fullmatch(tried, folder))
