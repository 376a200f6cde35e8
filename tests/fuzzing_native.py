"""Feed the extension module with damaged sources, under sanitizers, and compare its results with those of Python.

`make fuzz-native SECONDS=… REPO=… SEED=…` builds the module with sanitizers and runs this. An input that crashes it,
takes too long, raises or gives another result is kept in build/fuzz; `tests/fuzzing_native.py --again FILE` repeats it.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import hashlib
import os
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import birthmark
from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.codec import encode_outline
from birthmark.extraction.native_outline import read_native
from birthmark.extraction.read import read_entities, read_outline
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Level
from birthmark.syntax.native import load_native
from damaged_sources import damage, made_sources

ROOT = Path(__file__).parents[1]
MODULE = ROOT / "build" / "sanitize"
KEPT = ROOT / "build" / "fuzz"
CURRENT = KEPT / "current"  # what is being read, so that it is known after a crash
LEVELS = (Level.ENTITIES, Level.OUTLINE)

_LARGEST = 20_000  # bytes of a file that is damaged
_PATIENCE = 120  # seconds for one input
_DEPTHS = (1, 3, 100, 5_000)
_MOST_FAILURES = 10
_FOUND = 3  # the exit code if problems were found; any other one is a crash, or an input that took too long


class FuzzInput(NamedTuple):
    """What a reader is given."""

    content: bytes
    spec: LanguageSpec
    level: Level


Reader = Callable[[bytes, LanguageSpec, Level], object]


def load_readers() -> tuple[Reader, Reader | None]:
    """The reader to try, and the one whose results it must have. It may give None for what it does not cover."""
    if load_native() is None:
        sys.exit("no module in build/sanitize fits the sources; say make native-sanitize")
    registry, sizes = load_registry(), ChunkSizes()

    def read_in_python(content: bytes, spec: LanguageSpec, level: Level) -> object:
        read = read_entities if level is Level.ENTITIES else read_outline
        return encode_outline(read(content, spec, registry), level)

    return lambda content, spec, level: read_native(content, spec, level, sizes), read_in_python


def main() -> int:
    parser = argparse.ArgumentParser(description="Feed the extension module with damaged sources.")
    parser.add_argument("--seconds", type=float, default=60, help="how long")
    parser.add_argument("--seed", type=int, default=0, help="other inputs for every number")
    parser.add_argument("--again", type=Path, metavar="FILE", help="read a kept input once more")
    parser.add_argument("folders", nargs="*", type=Path, help="where sources are, besides this repository's")
    options = parser.parse_args()
    if "LD_PRELOAD" not in os.environ:
        return supervise(sys.argv[1:], options.seed, options.seconds)
    birthmark.__path__.insert(0, str(MODULE))
    readers = load_readers()
    if options.again:
        problem = check(_decode(options.again.read_bytes()), *readers)
        print(problem or "nothing is wrong with it")
        return _FOUND if problem else 0
    return fuzz(*readers, read_files([ROOT, *options.folders]), options.seed, options.seconds)


def supervise(arguments: list[str], seed: int, seconds: float) -> int:
    """Run this program with the sanitizers' libraries for a time; after a failure it goes on with other inputs."""
    KEPT.mkdir(parents=True, exist_ok=True)
    end, failures = time.monotonic() + seconds, 0
    while failures < _MOST_FAILURES:
        CURRENT.unlink(missing_ok=True)
        left = str(max(1, end - time.monotonic()))
        command = [sys.executable, __file__, *arguments, "--seed", str(seed), "--seconds", left]
        code = subprocess.run(command, env=_sanitizing(), check=False).returncode
        if code not in (0, _FOUND):
            print("crashed:", keep(CURRENT.read_bytes(), "crashed") if CURRENT.exists() else "before the first input")
        failures += code != 0
        seed += 1
        if code == 0 or "--again" in arguments or time.monotonic() > end:
            break
    return int(failures > 0)


def _sanitizing() -> dict[str, str]:
    """The environment in which a sanitized module can be loaded, and sees every byte that Python allocates."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    libraries = [_library(compiler, name) for name in ("libasan.so", "libstdc++.so")]
    return os.environ | {
        "LD_PRELOAD": " ".join(filter(None, libraries)),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",  # the interpreter never frees all it has
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",
    }


def _library(compiler: list[str], name: str) -> str:
    command = [*compiler, f"-print-file-name={name}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return found if os.path.isabs(found) else ""


def fuzz(read: Reader, judge: Reader | None, files: list[FuzzInput], seed: int, seconds: float) -> int:
    """Check inputs until the time is over; print what is wrong and how much was read."""
    random, end = Random(seed), time.monotonic() + seconds  # noqa: S311 - to be repeated, not to be secret
    counts, n_problems = Counter[str](), 0
    inputs = make_inputs(files, random)
    while time.monotonic() < end and n_problems < _MOST_FAILURES:
        one = next(inputs)
        counts[one.spec.name] += 1
        problem = check(one, read, judge)
        if problem is not None:
            n_problems += 1
            print(f"{problem}: {keep(_encode(one), problem)}", flush=True)
    for one, grown in find_leaks(read, files):
        n_problems += 1
        print(f"{grown} bytes are not freed: {keep(_encode(one), 'not freed')}", flush=True)
    print(f"{counts.total()} inputs in {len(counts)} languages, seed {seed}: {n_problems} problems")
    return _FOUND if n_problems else 0


def check(one: FuzzInput, read: Reader, judge: Reader | None) -> str | None:
    """What is wrong with the result for an input, in a word or two."""
    CURRENT.write_bytes(_encode(one))
    faulthandler.dump_traceback_later(_PATIENCE, exit=True)
    try:
        result = read(*one)
        if judge is not None and result is not None and result != judge(*one):
            return "different"
    except Exception as error:
        return f"raised {type(error).__name__}"
    finally:
        faulthandler.cancel_dump_traceback_later()
    return None


def find_leaks(read: Reader, files: list[FuzzInput], times: int = 8) -> Iterator[tuple[FuzzInput, int]]:
    """The memory that stays allocated when a file is read again and again: a file of each language."""
    allocated = ctypes.CDLL(None).__sanitizer_get_current_allocated_bytes
    allocated.restype = ctypes.c_size_t
    smallest_last = sorted(files, key=lambda file: -len(file.content or b" " * _LARGEST))
    for one in {file.spec.name: file for file in smallest_last}.values():
        sizes = []
        for _ in range(3):
            gc.collect()
            sizes.append(allocated())
            for _times in range(times):
                read(*one)
        grown = sizes[2] - sizes[1]
        if grown >= 8 * times:
            yield one, grown // times


def make_inputs(files: list[FuzzInput], random: Random) -> Iterator[FuzzInput]:
    """Whole, damaged and made sources without end; now and then in a language that they are not written in."""
    made = {depth: made_sources(depth) for depth in _DEPTHS}
    specs = sorted({file.spec.name: file.spec for file in files}.items())
    while True:
        file, other, level = random.choice(files), random.choice(files), random.choice(LEVELS)
        spec = file.spec if random.random() < 0.9 else random.choice(specs)[1]
        kind = random.random()
        if kind < 0.05:
            yield FuzzInput(file.content, spec, level)
        elif kind < 0.85:
            yield FuzzInput(damage(file.content, other.content, random), spec, level)
        else:
            yield FuzzInput(random.choice(made[random.choice(_DEPTHS)]), random.choice(specs)[1], level)


def read_files(folders: list[Path]) -> list[FuzzInput]:
    """The files of some folders whose language is known, of languages as equally many as there are."""
    registry, by_language = load_registry(()), dict[str, list[FuzzInput]]()
    for path in sorted(path for folder in folders for path in folder.rglob("*") if not _is_hidden(path, folder)):
        spec = registry.of_path(path.name)
        if spec is not None and path.is_file() and path.stat().st_size <= _LARGEST:
            by_language.setdefault(spec.name, []).append(FuzzInput(path.read_bytes(), spec, Level.OUTLINE))
    most = max(map(len, by_language.values()))
    return [file for files in by_language.values() for file in (files * (most // len(files)))]


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part[0] == "." or part == "build" for part in path.relative_to(folder).parts)


def keep(encoded: bytes, problem: str) -> Path:
    path = KEPT / f"{problem.replace(' ', '-')}-{hashlib.sha256(encoded).hexdigest()[:12]}"
    path.write_bytes(encoded)
    return path


def _encode(one: FuzzInput) -> bytes:
    return f"{one.spec.name} {one.level}\n".encode() + one.content


def _decode(encoded: bytes) -> FuzzInput:
    head, _, content = encoded.partition(b"\n")
    language, level = head.decode().split()
    return FuzzInput(content, load_registry(()).languages[language], Level(level))


if __name__ == "__main__":
    sys.exit(main())
