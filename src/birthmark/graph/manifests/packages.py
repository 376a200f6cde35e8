"""Read `package.json`, and `tsconfig.json` or `jsconfig.json`: packages and the paths that names map to.

A package gives its entries, exports and own imports. Packages of one workspace see each other; one that the workspace
around it leaves out is seen only by itself, one without a workspace by all. Built files may not be in the repository,
so their sources are tried too. A configuration gives `baseUrl`, `paths` and `rootDirs`, with what it extends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from posixpath import dirname
from typing import NamedTuple

from birthmark.graph.manifests.documents import Table, inner_table, place_in, read_json, table_of, text_of, texts_of
from birthmark.graph.manifests.package import Package, make_package
from birthmark.graph.manifests.table import ANY, ModuleRule, below, folders_above
from birthmark.vocabulary import Ecosystem, ManifestFormat

_INSTALLED = "node_modules"  # the folder of packages that are seen in the folder around it
_CONDITIONS = ("source", "import", "module", "default", "development", "browser", "require", "types")
_ENTRIES = ("source", "module", "main", "types", "typings")
_LOCAL = re.compile(r"^(?:file|link|portal|workspace):(?=[./])")
_ALIAS = re.compile(r"^(?:npm|workspace):(@?[^@]+)@")
_RENAMED = re.compile(r"^workspace:(@?[^@]+)@")
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_BUILT = re.compile(r"dist|lib|build|_build|out|es|esm|cjs|umd")  # folders whose files may be made from others
_ALWAYS_BUILT = re.compile(r"(\./)?(dist|build|_build|out)/")
_BUILT_ENDING = re.compile(r"(\.d)?\.[cm]?[jt]sx?$")
_DEEPEST = 10  # conditions inside of conditions
_MOST_PATTERNS = 1_000  # of a workspace
_YAML_LIST = re.compile(r"^packages:[ \t]*(?:#.*)?\n((?:[ \t]*(?:-.*|#.*)?\n)*)", re.M)
_YAML_ITEM = re.compile(r"""^[ \t]*-[ \t]+["']?([^"'#\n]+)""", re.M)
_YAML_INLINE = re.compile(r"^packages:[ \t]*\[([^\]]*)\]", re.M)
_MOST_EXTENDED = 20
_MOST_ROOTS = 100  # that are merged, each with each
_OWN_FOLDER = "${configDir}"  # of the configuration that extends the one in which it is written


class _ReadPackage(NamedTuple):
    folder: str
    name: str
    manifest: Table


def read_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    texts = manifests.get(ManifestFormat.PACKAGE, {})
    packages = [_package(dirname(path), read_json(text)) for path, text in texts.items()]
    by_folder = {package.folder: package for package in packages}
    by_name = {package.name: package for package in reversed(packages)}
    workspaces = {package.folder: _patterns(package.manifest.get("workspaces")) for package in packages}
    for path, text in manifests.get(ManifestFormat.PNPM_WORKSPACE, {}).items():
        workspaces[dirname(path)] = _yaml_patterns(text + "\n")
    for package in packages:
        yield ModuleRule("", f"/{package.folder}", _entries(package))  # by a relative path
        for folder in dict.fromkeys((package.folder, _seen_in(package, workspaces))):
            yield from _named(folder, package.name, package)
        yield from _own_imports(package)
        for name, used in _local_dependencies(package, by_folder, by_name):
            yield from _named(package.folder, name, used)


def package_folders(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> dict[str, str]:
    """By their names."""
    texts = manifests.get(ManifestFormat.PACKAGE, {})
    return {_package(dirname(path), read_json(text)).name: dirname(path) for path, text in texts.items()}


def read_npm_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """Without those that are installed. A dependency may have another name here than in its registry."""
    for path, text in manifests.get(ManifestFormat.PACKAGE, {}).items():
        manifest = read_json(text)
        name = text_of(manifest.get("name"))
        if name and _INSTALLED not in path.split("/"):
            used = [item for kind in _DEPENDENCIES for item in inner_table(manifest, kind).items()]
            aliases = [_ALIAS.match(text_of(written)) for _, written in used]
            names = [called if alias is None else alias[1] for (called, _), alias in zip(used, aliases, strict=True)]
            yield make_package(Ecosystem.NPM, name, dirname(path), path, names)


def read_npm_renames(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Return the names of dependencies in this manifest, with those in their registry."""
    for text in manifests.get(ManifestFormat.PACKAGE, {}).values():
        manifest = read_json(text)
        for kind in _DEPENDENCIES:
            for called, written in inner_table(manifest, kind).items():
                if alias := _ALIAS.match(text_of(written)):
                    yield called, alias[1]


def _package(folder: str, manifest: Table) -> _ReadPackage:
    installed = f"/{folder}".rpartition(f"/{_INSTALLED}/")
    return _ReadPackage(folder, installed[2] if installed[1] else text_of(manifest.get("name")), manifest)


# Which packages see each other


def _patterns(workspaces: object) -> list[str]:
    return texts_of(table_of(workspaces).get("packages") if isinstance(workspaces, dict) else workspaces)


def _yaml_patterns(text: str) -> list[str]:
    """The list of packages, which is all that is needed of the file."""
    listed, inline = _YAML_LIST.search(text), _YAML_INLINE.search(text)
    if listed is not None:
        return [item.strip() for item in _YAML_ITEM.findall(listed[1])]
    return [item.strip(" \t\n\"'") for item in inline[1].split(",")] if inline is not None else []


def _seen_in(package: _ReadPackage, workspaces: Mapping[str, list[str]]) -> str:
    around, is_installed, _ = f"/{package.folder}".rpartition(f"/{_INSTALLED}/")
    if is_installed:
        return around.lstrip("/")
    for root in (package.folder, *folders_above(package.folder)):
        if workspaces.get(root):
            is_member = root == package.folder or _is_member(package.folder, root, workspaces[root])
            return root if is_member else package.folder
    return ""


def _is_member(folder: str, root: str, patterns: list[str]) -> bool:
    """The last pattern that matches decides."""
    inside, is_member = folder.removeprefix(root).lstrip("/"), False
    for pattern in patterns[:_MOST_PATTERNS]:
        if _glob(pattern.removeprefix("!")).fullmatch(inside):
            is_member = not pattern.startswith("!")
    return is_member


@lru_cache(_MOST_PATTERNS)
def _glob(pattern: str) -> re.Pattern[str]:
    """All wildcards but the last take the nearest match and keep it, so that no pattern is tried in many ways."""
    *firsts, last = re.split(r"\*\*+/?", pattern.removeprefix("./").strip("/"))
    wide = [f"(?>.*?{_near(part)})" for part in firsts[1:]]
    start, *rest = map(re.escape, last.split("*"))
    end = start + "".join(f"(?>[^/]*?{part})" for part in rest[:-1]) + "".join(f"[^/]*{part}" for part in rest[-1:])
    return re.compile("".join([*map(_near, firsts[:1]), *wide, *(".*" for _ in firsts[:1]), end]))


def _near(pattern: str) -> str:
    start, *rest = map(re.escape, pattern.split("*"))
    return start + "".join(f"(?>[^/]*?{part})" for part in rest)


# Where its modules are


def _named(folder: str, name: str, package: _ReadPackage) -> Iterator[ModuleRule]:
    if not name:
        return
    yield ModuleRule(folder, name, _entries(package))
    exported = [(key, value) for key, value in table_of(package.manifest.get("exports")).items() if key[:2] == "./"]
    for key, value in exported:
        key, values = f"{name}/{key[2:]}", _targets(value)
        if key.endswith("/"):
            key, values = key + ANY, [f"{one}{ANY}" for one in values]
        yield ModuleRule(folder, key, _places(package.folder, values))
    if not exported:
        sources = (place for place in (package.folder, place_in(package.folder, "src")) if place is not None)
        yield from list(below(folder, name, *sources))[1:]


def _entries(package: _ReadPackage) -> tuple[str, ...]:
    exports = package.manifest.get("exports")
    has_paths = any(key.startswith(".") for key in table_of(exports))
    exported = _targets(table_of(exports).get(".") if has_paths else exports)
    written = [text_of(package.manifest.get(key)) for key in _ENTRIES]
    return _places(package.folder, [*exported, *filter(None, written), "index", "src/index"])


def _own_imports(package: _ReadPackage) -> Iterator[ModuleRule]:
    for key, value in table_of(package.manifest.get("imports")).items():
        targets = [target for target in _targets(value) if target.startswith(".")]
        if key.startswith("#") and targets:
            yield ModuleRule(package.folder, key, _places(package.folder, targets))


def _local_dependencies(
    package: _ReadPackage, by_folder: Mapping[str, _ReadPackage], by_name: Mapping[str, _ReadPackage]
) -> Iterator[tuple[str, _ReadPackage]]:
    """Packages of the repository that it depends on by a path, or by another name than their own."""
    for kind in _DEPENDENCIES:
        for name, written in inner_table(package.manifest, kind).items():
            renamed = _RENAMED.match(text_of(written))
            place = place_in(package.folder, _LOCAL.sub("", written)) if _LOCAL.match(text_of(written)) else None
            used = (
                by_name.get(renamed[1]) if renamed is not None else by_folder.get(place) if place is not None else None
            )
            if used is not None:
                yield name, used


def _targets(value: object, depth: int = _DEEPEST) -> list[str]:
    """The paths in the value of an export, those of the sources first."""
    if isinstance(value, list):
        return [target for one in value for target in _targets(one, depth - 1)] if depth else []
    if not isinstance(value, dict):
        return [value] if isinstance(value, str) and value else []
    conditions = sorted(
        table_of(value), key=lambda key: _CONDITIONS.index(key) if key in _CONDITIONS else len(_CONDITIONS)
    )
    return [target for key in conditions for target in _targets(value[key], depth - 1)] if depth else []


def _places(folder: str, targets: list[str]) -> tuple[str, ...]:
    """Paths, with those of the sources that what is built is made from."""
    written: list[str] = []
    built: list[str] = []
    for target in targets:
        sources = sources_of(target)
        is_made = is_always_built(target)
        written += sources if is_made else [target, *sources]
        built += [target] if is_made else []
    found = (place_in(folder, target) for target in [*written, *built])
    return tuple(dict.fromkeys(place for place in found if place is not None))


def is_always_built(target: str) -> bool:
    return _ALWAYS_BUILT.match(target) is not None


def sources_of(target: str) -> list[str]:
    """`./dist/esm/a.js` is made from `src/a` or `a`; nothing for what is in no folder of built files."""
    parts = target.removeprefix("./").split("/")
    n_built = next((at for at, part in enumerate(parts) if not _BUILT.fullmatch(part)), len(parts) - 1)
    rest = _BUILT_ENDING.sub("", "/".join(parts[n_built:]))
    return [f"src/{rest}", rest] if n_built and rest else []


class _Paths(NamedTuple):
    base: str | None = None  # the folder of `baseUrl`
    paths: Table = {}  # noqa: RUF012 - never changed
    folder: str = ""  # of the configuration that has the paths


def read_compiler_paths(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    texts = manifests.get(ManifestFormat.COMPILER_PATHS, {})
    configurations = {path: read_json(text) for path, text in texts.items()}
    extended = (written for one in configurations.values() for written in texts_of(one.get("extends")))
    folders = package_folders(manifests) if any(written[:1] != "." for written in extended) else {}
    for path in configurations:
        yield from _path_rules(dirname(path), _Extended(configurations, folders).paths(path))
        yield from _merged_roots(dirname(path), inner_table(configurations[path], "compilerOptions"))


def _path_rules(folder: str, found: _Paths) -> Iterator[ModuleRule]:
    base = found.folder if found.base is None else found.base
    for name, targets in found.paths.items():
        written = (_mapped_place(folder, base, target) for target in texts_of(targets))
        places = [place for place in written if place is not None]
        if places and name.count(ANY) < 2:
            yield ModuleRule(folder, name, tuple(places), is_alias=True)
    if found.base is not None:
        yield ModuleRule(folder, ANY, (f"{found.base}/{ANY}".lstrip("/"),), is_alias=True)


def _merged_roots(folder: str, options: Table) -> Iterator[ModuleRule]:
    """Folders that are one when the program runs: what is not beside a file may be in another of them."""
    written = (place_in(folder, root) for root in texts_of(options.get("rootDirs")))
    roots = [root for root in written if root][:_MOST_ROOTS]
    for root in roots:
        yield ModuleRule(folder, f"/{root}/{ANY}", tuple(f"{other}/{ANY}" for other in roots if other != root))


def _mapped_place(folder: str, base: str, written: str) -> str | None:
    is_own = written.startswith(_OWN_FOLDER)
    return place_in(folder, f".{written[len(_OWN_FOLDER) :]}") if is_own else place_in(base, written)


class _Extended:
    """A configuration with those that it extends; the last that has an option wins."""

    def __init__(self, configurations: Mapping[str, Table], packages: Mapping[str, str]) -> None:
        self.configurations, self.packages = configurations, packages
        self.seen: set[str] = set()

    def paths(self, path: str) -> _Paths:
        found = _Paths()
        if path in self.seen or len(self.seen) > _MOST_EXTENDED:
            return found
        self.seen.add(path)
        manifest, folder = self.configurations[path], dirname(path)
        for written in texts_of(manifest.get("extends")):
            extended = self._find(folder, written)
            inherited = self.paths(extended) if extended is not None else _Paths()
            found = inherited._replace(
                base=found.base if inherited.base is None else inherited.base,
                paths=inherited.paths or found.paths,
                folder=inherited.folder if inherited.paths else found.folder,
            )
        options = inner_table(manifest, "compilerOptions")
        if text_of(options.get("baseUrl")):
            found = found._replace(base=place_in(folder, options["baseUrl"]))
        own = inner_table(options, "paths")
        return found._replace(paths=own, folder=folder) if own else found

    def _find(self, folder: str, written: str) -> str | None:
        """A path, or one in a package of the repository."""
        name = next((name for name in self.packages if name and f"{written}/".startswith(f"{name}/")), None)
        if written.startswith("."):
            place = place_in(folder, written)
        else:
            place = None if name is None else place_in(self.packages[name], written[len(name) :].lstrip("/") or ".")
        endings = ("", ".json", "/tsconfig.json")
        places = (f"{place}{ending}".lstrip("/") for ending in endings if place is not None)
        return next((path for path in places if path in self.configurations), None)
