"""Code of others is left out: folders of packages, minified files, and what attributes call generated or vendored."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.sources.discover import discover, discover_paths
from birthmark.sources.third_party import package_folders

NODE = {"node_modules/left/a.js": "", "web/node_modules/b/c.js": ""}
GO = {"vendor/modules.txt": "", "vendor/x/a.js": ""}
PACKAGE = {"third_party/zlib/package.json": "{}", "third_party/zlib/a.js": "", "third_party/ours.js": ""}

BOTH = "third-party:node_modules third-party:web/node_modules"
FOUND = [
    # files, .birthmarkignore, .gitattributes, the sources that are found, what is left out
    (NODE, "", "", "", BOTH),
    (NODE, "!/node_modules/", "", "node_modules/left/a.js", "third-party:web/node_modules"),
    (NODE, "!/web/node_modules/b/*.js", "", "web/node_modules/b/c.js", BOTH),
    (NODE, "!*.js", "", "", BOTH),
    (NODE, "", "/node_modules/** -linguist-vendored", "node_modules/left/a.js", "third-party:web/node_modules"),
    (NODE, "node_modules", "", "", ""),
    (GO, "", "", "", "third-party:vendor"),
    ({"vendor/x/a.js": ""}, "", "", "vendor/x/a.js", ""),
    (PACKAGE, "", "", "third_party/ours.js", "third-party:third_party/zlib"),
    ({"env/pyvenv.cfg": "", "env/lib/a.js": ""}, "", "", "", "third-party:env"),
    ({"a.min.js": "", "b-min.mjs": "", "admin.js": ""}, "", "", "admin.js", "minified:a.min.js minified:b-min.mjs"),
    ({"a.min.js": ""}, "!a.min.js", "", "a.min.js", ""),
    ({"a.min.js": ""}, "", "*.min.js linguist-generated=false", "a.min.js", ""),
    ({"gen.js": ""}, "", "gen.js linguist-generated", "", "marked:gen.js"),
    ({"gen.js": ""}, "!/gen.js", "gen.js linguist-generated", "gen.js", ""),
]  # fmt: skip


def plant(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def wants(name: str) -> bool:
    return name.endswith("js")


@pytest.mark.parametrize(("files", "ignore", "attributes", "expected", "left_out"), FOUND)
def test_code_of_others_is_left_out_with_the_reason(
    tmp_path: Path, files: dict[str, str], ignore: str, attributes: str, expected: str, left_out: str
) -> None:
    root = plant(tmp_path, {**files, ".birthmarkignore": ignore, ".gitattributes": attributes})
    found = discover(root, wants, 1000)
    again = discover(root, wants, 1000, found.listings)
    for one in (found, again):
        assert [file.path for file in one.files] == expected.split()
        assert [f"{reason}:{path}" for path, reason, _ in one.left_out if reason != "unsupported"] == left_out.split()
    everything = discover(root, wants, 1000, found.listings, third_party=True)
    ignored = set(files) if ignore == "node_modules" else set()
    assert {file.path for file in everything.files} == {path for path in files if wants(path)} - ignored
    named = [file.path for path in files for file in discover_paths(root, [path], wants, 1000).files]
    assert sorted(named) == expected.split()


def test_a_tree_has_the_same_folders_of_packages() -> None:
    folders = package_folders([*NODE, *GO, *PACKAGE, "vendored/a.js", "lib/vendor/a.js"])
    around = {path: folders(path) for path in (*NODE, *GO, *PACKAGE, "lib/vendor/a.js")}
    assert around == {
        "node_modules/left/a.js": ("node_modules",),
        "web/node_modules/b/c.js": ("web/node_modules",),
        "vendor/modules.txt": ("vendor",),
        "vendor/x/a.js": ("vendor",),
        "third_party/zlib/package.json": ("third_party/zlib",),
        "third_party/zlib/a.js": ("third_party/zlib",),
        "third_party/ours.js": (),
        "lib/vendor/a.js": (),
    }
