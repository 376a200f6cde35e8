"""Compile the modules of `graph` that resolve references with mypyc, into build/compiled.

    python native/graph/compile.py [--required]

It needs mypy, a C compiler, the headers of Python, and setuptools from Python 3.12 on. If one is missing or the build
fails, a line says so, and Birthmark runs the same modules as Python; with --required that is an error, shown in full.
What is up to date is not compiled again. docs/explanation/decisions.md says what it is worth.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))
from birthmark.compiled import FOLDER, STAMP, digest_sources  # noqa: E402 - it may not be installed yet

# The rest of the graph is read and written around them, or is data.
MODULES = (
    "answers symbols file_names name_tables candidates resolve network joined_repositories evaluation/* modules/[!_]*"
).split()
PATIENCE = 900  # seconds
BUILD = """
import sys
try:
    from setuptools import setup
except ImportError:
    from distutils.core import setup
from mypyc.build import mypycify
flags = ["--strict", "--ignore-missing-imports", "--cache-dir=mypy", "--config-file="]
modules = mypycify([*flags, *sys.argv[2:]], opt_level="1", multi_file=True)
setup(name="graph", ext_modules=modules, script_args=["build_ext", "--build-lib", sys.argv[1]])
"""


def main() -> int:
    if (FOLDER / STAMP).is_file() and (FOLDER / STAMP).read_text("ascii") == digest_sources():
        return 0
    problem = compile_modules()
    if problem:
        is_required = "--required" in sys.argv
        reason = problem if is_required else problem.strip().rpartition("\n")[2][:200]
        print(f"the graph is not compiled, and runs as Python: {reason}", file=sys.stderr)
        return int(is_required)
    print(f"{FOLDER}: the graph is compiled")
    return 0


def compile_modules() -> str:
    """Return what went wrong, if anything did."""
    graph = ROOT / "src" / "birthmark" / "graph"
    files = sorted(path for pattern in MODULES for path in graph.glob(f"{pattern}.py") if path.stem != "__init__")
    shutil.rmtree(FOLDER, ignore_errors=True)
    digest = digest_sources()
    with tempfile.TemporaryDirectory() as place:
        script, made = Path(place, "build.py"), Path(place, "made")
        script.write_text(BUILD, "utf-8")
        command = [sys.executable, str(script), str(made), *map(str, files)]
        environment = os.environ | {"MYPYPATH": str(ROOT / "src")}
        done = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        if done.returncode:
            return f"{done.stdout}\n{done.stderr}"
        (made / STAMP).write_text(digest, "ascii")
        FOLDER.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, FOLDER)
    return ""


if __name__ == "__main__":
    sys.exit(main())
