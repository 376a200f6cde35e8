"""A hostile repository with all that is around it, and the processes of users who work there."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from hostile.command_lines import Line
from hostile.judge import Allowed, judge_marks, judge_output, judge_records, judge_state, list_state, read_records
from hostile.kernel_watch import KernelWatch
from hostile.traps import OWN_NAME, SENTINEL, Decoys, Variant
from worlds import World

IS_FULL = os.environ.get("BIRTHMARK_HOSTILE") == "full"
RECORDER = Path(__file__).parent / "recorder"
PROGRAM = Path(sys.executable).with_name("birthmark")
WAYS = ("in the repository", "with -C", "as a module")
SECONDS = 120  # for a command; traps that never end are longer
GIT = shutil.which("git") or "git"
needs_linux = [
    pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git"),
    pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked through inotify"),
]

OLD_SHOP = "def price(cart):\n    total = sum(one.price for one in cart)\n    return total * 2\n"
SHOP = OLD_SHOP.replace("price(cart)", "total(cart)") + "\n\nclass Cart:\n    limit = 3\n"
USE = "from shop import total\n\n\ndef run():\n    return total([1])\n\n\ndef test_run():\n    assert run()\n"


@cache
def _early_names() -> frozenset[str]:
    """Return the modules that Python has imported when it looks for the one that it is to run."""
    text = "import runpy, sys; print(*sys.modules)"
    found = subprocess.check_output([sys.executable, "-P", "-c", text], text=True)
    return frozenset({name.partition(".")[0] for name in found.split()} | {OWN_NAME})


class Scene:
    """The folders beside a repository are the user's, but for `outside`, which no command has to touch."""

    def __init__(self, folder: Path, variant: Variant) -> None:
        self.folder = folder
        self.decoys = Decoys(folder / "repository", folder / "outside", folder / "marks")
        self.root, self.elsewhere, self.log = self.decoys.root, folder / "elsewhere", folder / "log"
        self._own = [folder / name for name in ("home", "configuration", "cache", "t")]
        for one in (self.decoys.outside, self.decoys.marks, self.elsewhere, *self._own):
            one.mkdir(parents=True)
        world = World(self.root, {"shop.py": OLD_SHOP}, with_git=True)
        world.commit()
        world.write("shop.py", SHOP)
        world.write("use.py", USE)
        world.commit()
        for name in ("secret.txt", "secret.py", "secret.json"):
            (self.decoys.outside / name).write_text(f'{{"{SENTINEL}": 1}}\n')
        (self.decoys.outside / "gitconfig").write_text(f"# {SENTINEL}\n")
        variant.set(self.decoys)
        self.id = "sub-none"
        self.extra: dict[str, str] = {}  # of the environment

    def environment(self, *, finds_programs_here: bool = False) -> dict[str, str]:
        home, configuration, cache, temporary = map(str, self._own)
        path = os.environ["PATH"]
        return {
            "PATH": f".::{path}" if finds_programs_here else path,
            "HOME": home,
            "XDG_CONFIG_HOME": configuration,
            "XDG_CACHE_HOME": cache,
            "TMPDIR": temporary,
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "BIRTHMARK_SECRET": "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0",  # a repository may name it
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(RECORDER),
            "HOSTILE_LOG": str(self.log),
            "HOSTILE_MARKS": str(self.decoys.marks),
            "HOSTILE_ROOT": str(self.root),
            **self.extra,
        }

    def command(self, way: str) -> list[str]:
        if way == "as a module":
            return [sys.executable, "-m", "birthmark"]
        return [str(PROGRAM), *(["-C", str(self.root)] if way == "with -C" else [])]

    def working_folder(self, way: str) -> Path:
        return self.elsewhere if way == "with -C" else self.root

    # Judging

    @contextmanager
    def judged(
        self, way: str = "", *, writes: tuple[str, ...] = (), programs: frozenset[str] = frozenset()
    ) -> Iterator[list[str]]:
        """Give a list, which has the violations at the end; what fails is one of them."""
        places = (self.root / ".birthmark", *self._own, Path(os.devnull), Path("/dev/shm"))  # noqa: S108 - shared memory
        asked = tuple(Path(os.path.normpath(self.root / name)) for name in writes)
        replaces = f"{self.root}/.birthmark-" if asked else ""
        allowed = Allowed((*places, *asked), programs | {GIT, os.path.realpath(GIT)}, replaces, way == "as a module")
        folders = (self.root, self.decoys.outside, self.elsewhere)
        self.log.unlink(missing_ok=True)
        found: list[str] = []
        with self._without_names(way):
            before = list_state(folders, allowed)
            with KernelWatch([self.decoys.outside, *self.decoys.outside.iterdir(), *self.decoys.ignored]) as watch:
                try:
                    yield found
                except Exception as error:  # Why it failed may be among the violations.
                    found.append(f"failed: {error!r}")
            found += [f"opened, by the kernel: {path}" for path in sorted(set(watch.opened))]
            found += judge_state(before, list_state(folders, allowed))
        records = read_records(self.log)
        assert any(record.event == "start" for record in records), "nothing was recorded"
        found += sorted(set(judge_records(records, self.root, self.decoys.outside, allowed)))
        found += judge_marks(self.decoys.marks)
        for mark in self.decoys.marks.iterdir():
            mark.unlink()

    @contextmanager
    def _without_names(self, way: str) -> Iterator[None]:
        """Hide what `python -m` itself imports from the working folder, before anything of ours can help it."""
        hidden = self.folder / "hidden"
        hidden.mkdir(exist_ok=True)
        names = [f"{name}{ending}" for name in _early_names() for ending in ("", ".py", ".pyc")]
        for name in names if way == "as a module" else ():
            if (self.root / name).exists():
                (self.root / name).rename(hidden / name)
        try:
            yield
        finally:
            for path in hidden.iterdir():
                path.rename(self.root / path.name)

    # Commands

    def run(self, line: Line, way: str, *, finds_programs_here: bool = False, is_broken: bool = False) -> list[str]:
        """Return the violations; one of them is a command that does not do its work, unless the settings are broken."""
        words = [word.format(id=self.id) for word in shlex.split(line.words)]
        with self.judged(way, writes=line.writes) as found:
            done = subprocess.run(
                [*self.command(way), *words],
                cwd=self.working_folder(way),
                env=self.environment(finds_programs_here=finds_programs_here),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        if line.words == "subscriptions --json" and done.returncode == 0:
            own = [one["id"] for one in json.loads(done.stdout) if one["label"] == "one"]  # those of a team are shared
            self.id = next(iter(own), self.id)
        found += judge_output(done.stdout + done.stderr)
        expected = {2} if line.is_refused else {0, 1, 2} if is_broken else {0, 1}
        if done.returncode not in expected:
            found.append(f"exit code {done.returncode}: {done.stderr.decode()}")
        return [f"{way}: {line.words}: {violation}" for violation in found]

    def prepare(self) -> None:
        """Index, with nobody watching."""
        subprocess.run(
            [str(PROGRAM), "-C", str(self.root), "index"],
            cwd=self.elsewhere,
            env=self.environment() | {"PYTHONPATH": ""},
            capture_output=True,
            check=True,
        )
