"""Build the extension module `birthmark._native` from native/*.c and the runtime of tree-sitter.

    python native/build.py [--sanitize] [--required] [--output FOLDER]

It needs a C compiler, the headers of Python, and pip, which gets the runtime's sources from where it is configured to.
If one is missing or the build fails, a line says so and Birthmark does the same work in Python; with --required that
is an error, shown in full. What is up to date is not built again. docs/explanation/native-module.md has the reasons.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "native"
CACHE = ROOT / "build" / "native"  # what is downloaded, and object files
PACKAGE = ROOT / "src" / "birthmark"
SANITIZED_FOLDER = ROOT / "build" / "sanitize"
FILE = "_native.abi3.so"
RUNTIME = "runtime.c"  # includes tree-sitter's
RUNTIME_HEADERS = ("runtime.h", "walk.h")
RUNTIME_VERSION = "0.25.2"  # The only one that runtime.c and walk.h are written for; they say what they rely on.
RUNTIME_DIGEST = "bcb91f28de78c40c4f99f220dad72ef9"  # of its sources
PATIENCE = 120  # seconds for each step
LIMITED_API = "0x030B0000"  # Python 3.11; the same binary serves all later ones

sys.path.insert(0, str(ROOT / "src"))
from birthmark.syntax.native import digest_sources, is_current  # noqa: E402 - it is not installed where wheels are built

WARNINGS = ("-Wall", "-Wextra", "-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types")
OPTIMISED = ("-O3", "-DNDEBUG")
SANITIZED = ("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
# Without this, gcc miscompiles the runtime on this processor; its own setup.py says the same.
BY_MACHINE = {"aarch64": ("--param=early-inlining-insns=9",)}
LINKING = {"darwin": ("-bundle", "-undefined", "dynamic_lookup")}

# To download a source distribution, pip asks its build backend for metadata, which would run code and need setuptools.
# This backend replaces it, and answers with the name and version that are pinned.
BACKEND = """
from pathlib import Path

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = Path(folder, "{name}-{version}.dist-info")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    return info.name
"""


class BuildError(Exception):
    """Why there is no module, in a line; more of it in `details`."""

    def __init__(self, reason: str, details: str = "") -> None:
        super().__init__(reason)
        self.details = details


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the extension module birthmark._native.")
    parser.add_argument("--sanitize", action="store_true", help="check memory and arithmetic as it runs")
    parser.add_argument("--required", action="store_true", help="fail if it cannot be built")
    parser.add_argument(
        "--output", type=Path, metavar="FOLDER", help="where to put it; src/birthmark or build/sanitize"
    )
    options = parser.parse_args()
    try:
        folder, mode = (SANITIZED_FOLDER, SANITIZED) if options.sanitize else (PACKAGE, OPTIMISED)
        build(options.output or folder, mode)
    except BuildError as error:
        print(f"native module: {error}; Birthmark works without it, slower", file=sys.stderr)
        if options.required:
            print(error.details, file=sys.stderr)
        return int(options.required)
    return 0


def build(output: Path, mode: tuple[str, ...] = OPTIMISED) -> Path:
    """Build the module into a folder, unless it is there; BuildError if that cannot be done."""
    target = output / FILE
    if is_current(target, SOURCES):
        return target
    target.unlink(missing_ok=True)
    try:
        compile_module(find_compiler(), find_headers(), get_runtime(), target, mode)
    except OSError as error:
        raise BuildError(f"not built: {error}") from error
    return target


def find_compiler() -> list[str]:
    named = os.environ.get("CC")
    for command in [named] if named else ["cc", "gcc", "clang"]:
        try:
            _run([*shlex.split(command), "--version"], "it does not work")
        except (BuildError, OSError, ValueError):
            continue
        return shlex.split(command)
    raise BuildError(f"no C compiler ({named or 'cc, gcc, clang'})")


def find_headers() -> Path:
    folder = Path(sysconfig.get_path("include"))
    if not (folder / "Python.h").is_file():
        raise BuildError("the headers of Python are not installed")
    return folder


def get_runtime() -> Path:
    """The folder of the runtime, downloaded and unpacked if it is not there."""
    name, _, version = _pinned().partition("==")
    unpacked = CACHE / f"{name}-{version}"
    if not unpacked.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as place:
            with tarfile.open(_download(name, version, Path(place))) as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.3 and older have none
                archive.extractall(place)  # noqa: S202 - pip has compared its hash with the one that is pinned
            Path(place, unpacked.name).rename(unpacked)
    runtime = unpacked / "tree_sitter" / "core" / "lib"
    if version != RUNTIME_VERSION or digest_runtime(runtime) != RUNTIME_DIGEST:
        raise BuildError(f"runtime.c is for tree-sitter {RUNTIME_VERSION}, and {unpacked} is another one")
    return runtime


def digest_runtime(runtime: Path) -> str:
    """Return the hash of all sources and headers of the runtime."""
    digest = hashlib.sha256()
    for path in sorted((runtime / "src").rglob("*.[ch]")) + sorted((runtime / "include").rglob("*.h")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(runtime).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:32]


def find_licences() -> dict[str, str]:
    """The licences of the runtime, and of what is part of it, with names to keep them under."""
    top = get_runtime().parents[2]
    return {str(path): f"licences/{path.relative_to(top).as_posix()}" for path in sorted(top.rglob("LICENSE"))}


def _pinned() -> str:
    lines = (SOURCES / "requirements.txt").read_text("utf-8").splitlines()
    return next(line.split()[0] for line in lines if line and line[0] != "#")


def _download(name: str, version: str, place: Path) -> Path:
    backend = place / "backend" / "setuptools"
    backend.mkdir(parents=True)
    (backend / "__init__.py").touch()
    (backend / "build_meta.py").write_text(BACKEND.format(name=name.replace("-", "_"), version=version))
    paths = [str(backend.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--retries", "1"]
    command += ["--no-deps", "--no-build-isolation", "--no-binary", name, "--require-hashes"]
    command += ["--dest", str(place), "-r", str(SOURCES / "requirements.txt")]
    _run(command, "the sources of tree-sitter cannot be downloaded", {"PYTHONPATH": os.pathsep.join(paths)})
    return next(place.glob("*.tar.gz"))


def compile_module(compiler: list[str], headers: Path, runtime: Path, target: Path, mode: tuple[str, ...]) -> None:
    common = [*compiler, "-std=c11", "-fPIC", "-fvisibility=hidden", *mode, *BY_MACHINE.get(platform.machine(), ())]
    # py-tree-sitter has a copy of the runtime, too: they are hidden from each other.
    common += ["-DTREE_SITTER_HIDE_SYMBOLS", "-DTREE_SITTER_HIDDEN_SYMBOLS", f"-I{runtime / 'include'}"]
    common += ["-D_DEFAULT_SOURCE", *_flags("ARCHFLAGS"), *_flags("CFLAGS")]
    ours = [*common, *WARNINGS, f"-I{headers}", f"-DPy_LIMITED_API={LIMITED_API}"]
    ours += [f'-DBIRTHMARK_DIGEST="{digest_sources(SOURCES)}"']
    linking = [*compiler, *mode, *_flags("ARCHFLAGS"), *LINKING.get(sys.platform, ("-shared",)), *_flags("LDFLAGS")]
    with tempfile.TemporaryDirectory(dir=CACHE) as place, ThreadPoolExecutor(os.cpu_count()) as threads:
        version = "".join(f"{int(part):02}" for part in RUNTIME_VERSION.split(".")).lstrip("0")
        kept = threads.submit(_compile_runtime, [*common, f"-I{runtime / 'src'}", f"-DBIRTHMARK_RUNTIME={version}"])
        made = [
            threads.submit(_compile, ours, source, Path(place, f"{source.stem}.o"))
            for source in sorted(SOURCES.glob("*.c"))
            if source.name != RUNTIME
        ]
        objects = [str(job.result()) for job in (*made, kept)]
        _run([*linking, *objects, "-o", str(Path(place, FILE))], "it cannot be linked")
        _replace(Path(place, FILE), target)


def _flags(variable: str) -> list[str]:
    return shlex.split(os.environ.get(variable, ""))


def _compile_runtime(command: list[str]) -> Path:
    """Compiling the runtime takes seconds, so its object file is kept, by what it is made with."""
    source = SOURCES / RUNTIME
    headers = [(SOURCES / name).read_text("utf-8") for name in RUNTIME_HEADERS]
    parts = [source.read_text("utf-8"), *headers, _pinned(), *command]
    made_with = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    kept = CACHE / f"runtime-{made_with}.o"
    return kept if kept.is_file() else _compile(command, source, kept)


def _compile(command: list[str], source: Path, target: Path) -> Path:
    part = target.with_name(f"{target.name}.{os.getpid()}")
    warnings = _run([*command, "-c", str(source), "-o", str(part)], f"{source.name} cannot be compiled")
    print(warnings, end="", file=sys.stderr)
    part.replace(target)
    return target


def _replace(made: Path, target: Path) -> None:
    """A binary that is in use is never written into, and folders may be on different disks."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.copyfile(made, part)
    part.replace(target)


def _run(command: list[str], problem: str, variables: dict[str, str] | None = None) -> str:
    """Run a command to its end, and return what it says."""
    environment = os.environ | (variables or {})
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        raise BuildError(f"{problem} in {PATIENCE} seconds") from error
    if done.returncode != 0:
        raise BuildError(problem, f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return done.stderr


if __name__ == "__main__":
    sys.exit(main())
