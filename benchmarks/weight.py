"""How heavy the program is: files, lines and classes of its source, and what a command passes through.

    python benchmarks/weight.py [PYTHON]

PYTHON is the interpreter of the environment to measure, so that versions can be compared. Modules and functions are
those of the package that run in the command's own process, counted by a profile hook; imports of the standard library
and of dependencies count for the start of `show`.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROUNDS = 5
SAMPLE = {
    "shop/basket.py": "from shop.money import cents\n\nclass Basket:\n    def total(self):\n        return cents(1)\n",
    "shop/money.py": "def cents(x):\n    return round(x, 2)\n",
    "app.py": "from shop.basket import Basket\n\n\ndef main():\n    return Basket().total()\n",
}
# Counts the functions of the package that are called, from a signal on, or from the start.
TRACER = """
import atexit, json, os, signal, sys, threading
owner, seen, is_on = os.getpid(), set(), [os.environ["TRACE_FROM"] == "start"]
def hook(frame, event, arg):
    if is_on[0] and event == "call":
        seen.add(frame.f_code)
def switch(*_):
    is_on[0] = not is_on[0]
def report():
    if os.getpid() != owner:
        return
    sys.setprofile(None)
    import birthmark
    root = os.path.dirname(birthmark.__file__)
    own = [one for one in list(seen) if one.co_filename.startswith(root) and one.co_name != "<module>"]
    with open(os.environ["TRACE_TO"], "w") as file:
        json.dump([len({one.co_filename for one in own}), len(own), len(sys.modules)], file)
atexit.register(report)
signal.signal(signal.SIGUSR1, switch)
threading.setprofile(hook)
sys.setprofile(hook)
sys.argv = ["birthmark", *sys.argv[1:]]
from birthmark.surfaces.cli.main import main
main()
"""


def source_counts(package: Path) -> dict[str, int]:
    texts = [path.read_text() for path in package.rglob("*.py")]
    n_classes = sum(isinstance(node, ast.ClassDef) for text in texts for node in ast.walk(ast.parse(text)))
    return {"modules": len(texts), "lines": sum(text.count("\n") for text in texts), "classes": n_classes}


def trace(python: str, folder: Path, *arguments: str) -> list[int]:
    """Modules and functions of the package that ran, and all modules that were imported."""
    with tempfile.NamedTemporaryFile() as found:
        environment = os.environ | {"TRACE_TO": found.name, "TRACE_FROM": "start"}
        subprocess.run([python, "-c", TRACER, *arguments], cwd=folder, env=environment, check=True, capture_output=True)
        return list(json.load(found))


def trace_page(python: str, folder: Path, path: str) -> list[int]:
    """The same for one page of a server, after the same page was shown once."""
    with tempfile.NamedTemporaryFile() as found:
        environment = os.environ | {"TRACE_TO": found.name, "TRACE_FROM": "signal"}
        command = [python, "-u", "-c", TRACER, "serve", "--port", "0"]
        with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            try:
                address = next(word for line in server.stderr for word in line.split() if word.startswith("http://"))
                root = "/".join(address.split("/")[:3])
                token = next((folder / ".birthmark").glob("http-token*")).read_text().strip()
                request = urllib.request.Request(root + path, headers={"Authorization": f"Bearer {token}"})  # noqa: S310 - on localhost
                urllib.request.urlopen(request).read()  # noqa: S310
                time.sleep(0.5)
                os.kill(server.pid, 10)
                urllib.request.urlopen(request).read()  # noqa: S310
                os.kill(server.pid, 10)
                time.sleep(0.2)
            finally:
                os.kill(server.pid, 2)
                server.wait(20)
        return list(json.load(found))


def start_seconds(python: str, folder: Path, *arguments: str) -> float:
    def once() -> float:
        began = time.perf_counter()
        subprocess.run([python, "-m", "birthmark", *arguments], cwd=folder, check=True, capture_output=True)
        return time.perf_counter() - began

    return statistics.median(once() for _ in range(ROUNDS))


def make_sample(folder: Path) -> None:
    for name, text in SAMPLE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=folder, check=True)  # noqa: S607 - the git that is installed


def rows(python: str) -> Iterator[tuple[str, object]]:
    package = subprocess.run(
        [python, "-c", "import birthmark; print(birthmark.__path__[0])"], capture_output=True, text=True, check=True
    )
    yield from source_counts(Path(package.stdout.strip())).items()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_sample(folder)
        yield "index, first: modules, functions", trace(python, folder, "index")[:2]
        (folder / "app.py").write_text(SAMPLE["app.py"] + "\n\ndef other():\n    return main()\n")
        yield "index, one edit: modules, functions", trace(python, folder, "index")[:2]
        yield "callers: modules, functions", trace(python, folder, "callers", "cents")[:2]
        yield "history: modules, functions", trace(python, folder, "history", "app.py::main")[:2]
        shown = trace(python, folder, "show", "cents")
        yield "show: modules, functions", shown[:2]
        yield "show: imported modules of all packages", shown[2]
        yield "show: seconds, whole command", round(start_seconds(python, folder, "show", "cents"), 3)
        yield "entity page: modules, functions", trace_page(python, folder, "/entity/cents")[:2]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("python", nargs="?", default=sys.executable)
    for name, value in rows(parser.parse_args().python):
        print(f"{name:45} {value}")


if __name__ == "__main__":
    main()
