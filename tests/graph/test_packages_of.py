"""Which packages a repository defines, and what they depend on, by its manifests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.manifests.readers import packages_of
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import Ecosystem

Shown = list[str]

CASES: dict[str, tuple[dict[str, str], Shown]] = {
    "pyproject": (
        {
            "pyproject.toml": '[project]\nname = "My_Shop.Core"\ndependencies = ["Flask>=2 ; python_version > \'3\'", '
            '"zope.interface[x]"]\n[project.optional-dependencies]\npg = ["psycopg"]\n'
            '[dependency-groups]\ndev = ["pytest", {include-group = "x"}]\n'
        },
        ["pypi my-shop-core in .: flask psycopg pytest zope-interface"],
    ),
    "poetry": (
        {
            "a/pyproject.toml": '[tool.poetry]\nname = "shop"\n[tool.poetry.dependencies]\npython = "^3"\nFlask = "*"\n'
            '[tool.poetry.group.dev.dependencies]\npytest = {version = "*"}\n'
        },
        ["pypi shop in a: flask pytest"],
    ),
    "setup.cfg": (
        {
            "setup.cfg": "[metadata]\nname = shop\n[options]\ninstall_requires =\n    flask>=2\n    click\n"
            "[options.extras_require]\npg =\n    psycopg[pool]\n"
        },
        ["pypi shop in .: click flask psycopg"],
    ),
    "pyproject and setup.cfg say what the other leaves out": (
        {"pyproject.toml": "[tool.black]\n", "setup.cfg": "[metadata]\nname = shop\n"},
        ["pypi shop in .:"],
    ),
    "package.json of a workspace, without what is installed": (
        {
            "package.json": '{"private": true, "workspaces": ["p/*"]}',
            "p/a/package.json": '{"name": "@acme/a", "dependencies": {"lodash": "4", "b": "workspace:*", '
            '"old": "npm:@acme/new@1"}, "devDependencies": {"jest": "29"}, "peerDependencies": {"react": "*"}}',
            "p/b/package.json": '{"name": "b"}',
            "node_modules/lodash/package.json": '{"name": "lodash"}',
        },
        ["npm @acme/a in p/a: @acme/new b jest lodash react", "npm b in p/b:"],
    ),
    "go.mod": (
        {
            "go.mod": "module example.com/shop/v2 // shop\n\ngo 1.22\nrequire github.com/pkg/errors v0.9.1\nrequire (\n"
            "\tgolang.org/x/text v0.3.0 // indirect\n\tgopkg.in/yaml.v3 v3.0.1\n)\n"
            "exclude (\n\tgithub.com/gone/away v1.0.0\n)\nreplace github.com/a/b v1.0.0 => github.com/c/d v1.0.0\n",
            "tools/go.mod": "module example.com/shop/tools\n",
        },
        [
            "go-modules example.com/shop/v2 in .: github.com/pkg/errors golang.org/x/text gopkg.in/yaml.v3",
            "go-modules example.com/shop/tools in tools:",
        ],
    ),
    "Cargo.toml of a workspace": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["c/*"]\n[workspace.dependencies]\nre = {package = "regex"}\n',
            "c/one/Cargo.toml": '[package]\nname = "my_one"\n[dependencies]\nserde = "1"\nre = {workspace = true}\n'
            'two = {path = "../two", package = "my-two"}\n[target."cfg(unix)".dependencies]\nlibc = "1"\n'
            '[build-dependencies]\ncc = "1"\n',
            "c/two/Cargo.toml": '[package]\nname = "my-two"\n',
        },
        ["crates my-one in c/one: cc libc my-two regex serde", "crates my-two in c/two:"],
    ),
    "pom.xml, with a parent and properties": (
        {
            "pom.xml": '<project xmlns="http://maven.apache.org/POM/4.0.0"><groupId>org.acme</groupId>'
            "<artifactId>root</artifactId><modules><module>m</module></modules></project>",
            "m/pom.xml": "<project><parent><groupId>org.acme</groupId><artifactId>root</artifactId></parent>"
            "<artifactId>shop</artifactId><properties><g>org.slf4j</g></properties><dependencies>"
            "<dependency><groupId>${g}</groupId><artifactId>slf4j-api</artifactId></dependency>"
            "<dependency><groupId>${project.groupId}</groupId><artifactId>till</artifactId></dependency>"
            "<dependency><groupId>${unknown}</groupId><artifactId>x</artifactId></dependency>"
            "</dependencies></project>",
        },
        ["maven org.acme:root in .:", "maven org.acme:shop in m: org.acme:till org.slf4j:slf4j-api"],
    ),
    "gradle": (
        {
            "settings.gradle": "rootProject.name = 'shop'\ninclude 'till'\n",
            "build.gradle": "allprojects {\n  group = 'org.acme'\n}\n// implementation 'no:no:1'\n",
            "till/build.gradle.kts": 'dependencies {\n  implementation("com.google.guava:guava:33")\n'
            '  testImplementation(platform("org.junit:junit-bom:5"))\n  api(project(":x"))\n'
            '  runtimeOnly(group = "a.b", name = "c")\n  implementation("$g:computed:1")\n}\n',
        },
        [
            "maven org.acme:shop in .:",
            "maven org.acme:till in till: a.b:c com.google.guava:guava org.junit:junit-bom",
        ],
    ),
    "composer.json": (
        {"composer.json": '{"name": "Acme/Shop", "require": {"php": ">=8", "ext-json": "*", "Monolog/monolog": "3"}}'},
        ["composer acme/shop in .: monolog/monolog"],
    ),
    "gemspec": (
        {
            "shop.gemspec": "Gem::Specification.new do |s|\n  s.name = 'shop'\n  s.add_dependency 'rack', '>= 2'\n"
            '  s.add_development_dependency("rake")\n  s.version = Shop::VERSION\nend\n'
        },
        ["rubygems shop in .: rack rake"],
    ),
    "csproj": (
        {
            "src/Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Serilog" '
            'Version="3" /><PackageReference Include="$(X)" /></ItemGroup></Project>',
            "lib/Till.csproj": "<Project><PropertyGroup><PackageId>Acme.Till</PackageId></PropertyGroup></Project>",
        },
        ["nuget acme.till in lib:", "nuget shop in src: serilog"],
    ),
    "Package.swift": (
        {
            "Package.swift": '// swift-tools-version:5.9\nlet package = Package(\n  name: "Shop",'
            '\n  dependencies: [\n    .package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0"),\n'
            '    .package(name: "x", url: "https://h/o/Y", .exact("1")),\n    .package(path: "../till"),\n  ])\n'
        },
        ["swift-packages shop in .: swift-nio y"],
    ),
}


def shown(texts: dict[str, str]) -> Shown:
    return [
        f"{one.ecosystem} {one.name} in {one.folder or '.'}: {' '.join(one.dependencies)}".rstrip()
        for one in packages_of(texts)
    ]


@pytest.mark.parametrize("name", CASES)
def test_packages(name: str) -> None:
    texts, expected = CASES[name]
    assert shown(texts) == expected
    assert [path for path in texts if not load_registry().is_manifest(path)] == []  # so an index keeps them


def test_all_of_a_monorepo() -> None:
    texts = {
        f"{number}/{path}": text for number, (files, _) in enumerate(CASES.values()) for path, text in files.items()
    }
    texts = {path: text for path, text in texts.items() if "node_modules" not in path}
    found = packages_of(texts)
    assert {str(one.ecosystem) for one in found} == {
        line.split(" ")[0] for _, lines in CASES.values() for line in lines
    }
    assert all(one.manifest in texts and one.manifest.startswith(one.folder) for one in found)


LONG = 1 << 15
HOSTILE = [
    "\n" * LONG,
    "a." * (LONG // 2),
    "exclude (\n" * (LONG // 11),
    ".package(name: " * (LONG // 16),
    "implementation " * (LONG // 16),
    "",
    "{",
    "[",
    "<",
    "<project>" * 5000,
    "[project]\nname = 3\n",
    '{"name": [1], "dependencies": 4}',
    "name = " * 99,
]
BOMB = '<!DOCTYPE p [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><project><artifactId>&b;</artifactId></project>'


PATHS = sorted({path for files, _ in CASES.values() for path in files})


@pytest.mark.parametrize("text", [*HOSTILE, BOMB], ids=range(len(HOSTILE) + 1))
def test_broken_and_hostile_manifests_define_nothing(text: str) -> None:
    """All at once; a project file has a name without saying one."""
    assert {one.ecosystem for one in packages_of(dict.fromkeys(PATHS, text))} <= {Ecosystem.NUGET}


@given(st.dictionaries(st.sampled_from(PATHS), st.text(max_size=200)))
def test_no_text_raises_an_error(texts: dict[str, str]) -> None:
    for package in packages_of(texts):
        assert package.name
        assert package.name not in package.dependencies
