"""The extension module is built where that is possible; where it is not, a line says why and nothing else changes."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
NO_COMPILER = "/there/is/no/compiler"


def load_build(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("native_build", root / "native" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    paths = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = paths
    return module


def run_build(root: Path, *arguments: str, compiler: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "native" / "build.py"), *arguments]
    environment = os.environ | {"CC": compiler}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What is needed to build, with the runtime's sources if this machine has them."""
    root = tmp_path / "project"
    for folder in ("native", "src"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(ROOT / file, root)
    return root


def add_runtime(project: Path) -> None:
    """Only what is there already: tests download nothing."""
    if not next((ROOT / "build" / "native").glob("tree-sitter-*"), None):
        pytest.skip("the sources of tree-sitter were not downloaded")
    shutil.copytree(ROOT / "build" / "native", project / "build" / "native")


def need_headers(project: Path) -> None:
    build = load_build(project)
    try:
        build.find_headers()
    except build.BuildError as error:
        pytest.skip(str(error))


def need_compiler(project: Path) -> str:
    need_headers(project)
    build = load_build(project)
    try:
        return shlex.join(build.find_compiler())
    except build.BuildError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("compiler", [NO_COMPILER, "false", "'"])
def test_without_a_compiler_a_line_says_so(project: Path, compiler: str) -> None:
    done = run_build(project, compiler=compiler)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "", 1)
    assert f"no C compiler ({compiler})" in done.stderr
    assert run_build(project, "--required", compiler=compiler).returncode == 1
    assert not list(project.rglob("*.so"))


def test_a_failing_compiler_leaves_no_old_binary(project: Path) -> None:
    need_headers(project)
    add_runtime(project)
    broken = project / "broken"
    broken.write_text("#!/bin/sh\n[ \"$1\" = --version ] || { echo 'it is broken' >&2; exit 1; }\n")
    broken.chmod(0o755)
    old = project / "src" / "birthmark" / "_native.abi3.so"
    old.write_text("of other sources")
    done = run_build(project, compiler=str(broken))
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert not old.exists()
    assert "it is broken" in run_build(project, "--required", compiler=str(broken)).stderr


def test_other_sources_of_the_runtime_are_refused(project: Path) -> None:
    """The runtime is changed at places that another version may not have."""
    add_runtime(project)
    compiler = need_compiler(project)
    (query,) = (project / "build" / "native").glob("*/tree_sitter/core/lib/src/query.c")
    query.write_text(query.read_text("utf-8") + "\n", "utf-8")
    done = run_build(project, "--required", compiler=compiler)
    assert done.returncode == 1
    assert "runtime.c is for tree-sitter 0.25.2" in done.stderr


def test_another_version_of_the_runtime_is_refused(project: Path) -> None:
    add_runtime(project)
    compiler = need_compiler(project)
    (runtime,) = (project / "build" / "native").glob("tree-sitter-*")
    runtime.rename(runtime.with_name("tree-sitter-0.26.0"))
    pinned = project / "native" / "requirements.txt"
    pinned.write_text(pinned.read_text("utf-8").replace("0.25.2", "0.26.0"), "utf-8")
    assert "is another one" in run_build(project, "--required", compiler=compiler).stderr
    build = load_build(project)
    vars(build)["RUNTIME_VERSION"] = "0.26.0"  # without a look at runtime.c
    with pytest.raises(build.BuildError, match=r"runtime\.c cannot be compiled"):
        build.compile_module(
            build.find_compiler(), build.find_headers(), build.get_runtime(), project / "x.so", ("-O0",)
        )


def test_what_is_up_to_date_is_not_built_again(project: Path) -> None:
    build = load_build(project)
    binary = project / "src" / "birthmark" / "_native.abi3.so"
    binary.write_text(build.digest_sources(project / "native"))
    assert run_build(project, compiler=NO_COMPILER).stderr == ""
    (project / "native" / "module.c").write_text("int x;\n")
    assert "no C compiler" in run_build(project, compiler=NO_COMPILER).stderr
    assert not binary.exists()


@pytest.mark.slow
def test_the_module_is_built_without_warnings_and_hides_the_runtime(project: Path) -> None:
    """py-tree-sitter has a runtime of its own in the same process."""
    add_runtime(project)
    done = run_build(project, "--required", compiler=need_compiler(project))
    assert (done.returncode, done.stderr) == (0, "")
    library = ctypes.PyDLL(str(project / "src" / "birthmark" / "_native.abi3.so"))
    assert hasattr(library, "PyInit__native")
    assert [name for name in ("ts_parser_new", "ts_query_new", "ts_current_malloc") if hasattr(library, name)] == []
    code = "from birthmark.syntax.native import load_native; print(load_native().__file__)"
    environment = {name: value for name, value in os.environ.items() if name != "BIRTHMARK_PURE"}
    environment["PYTHONPATH"] = str(project / "src")
    loaded = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == str(project / "src" / "birthmark" / "_native.abi3.so")


def build_wheel(project: Path, compiler: str) -> Path:
    """Whatever was built in the checkout is no part of a wheel."""
    (project / "src" / "birthmark" / "_native.abi3.so").write_text("of other sources")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(project / "dist")]
    subprocess.run(
        command, cwd=project, env=os.environ | {"CC": compiler}, check=True, capture_output=True, timeout=120
    )
    return next((project / "dist").glob("*.whl"))


def test_a_wheel_without_the_module_is_for_every_system(project: Path) -> None:
    wheel = build_wheel(project, NO_COMPILER)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")] == []


@pytest.mark.slow
def test_a_wheel_with_the_module_is_for_one_system_and_has_all_licences(project: Path) -> None:
    add_runtime(project)
    wheel = build_wheel(project, need_compiler(project))
    assert "-cp311-abi3-" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    assert load_build(project).digest_sources(project / "native").encode() in zipfile.ZipFile(wheel).read(
        "birthmark/_native.abi3.so"
    )
    assert (
        len([name for name in names if name.endswith("/LICENSE")]) == 3
    )  # ours, tree-sitter's, and of Unicode's tables


def test_the_runtime_is_that_of_py_tree_sitter() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    pinned = re.findall(r"^\S+", (ROOT / "native" / "requirements.txt").read_text("utf-8"), re.M)
    assert [name for name in pinned if name != "#"] == [name for name in packages if name.startswith("tree-sitter==")]


def test_no_hosts_are_named() -> None:
    assert all("://" not in path.read_text("utf-8") for path in (ROOT / "native").glob("*.*"))
