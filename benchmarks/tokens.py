"""How near the estimate of tokens is to what a tokenizer counts, by language.

    npm install gpt-tokenizer --prefix FOLDER
    python benchmarks/tokens.py FOLDER CLONES... [--files 12] [--encoding o200k_base]

CLONES are git repositories. Of each, some files of every language are read. The shipped weights are measured, and
weights that are fitted to other repositories than those they are measured on, in five parts.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from birthmark.languages.registry import load_registry
from birthmark.queries.context import WEIGHTS, PieceCounts, count_pieces

_N_PARTS = 5
_SIZES = range(300, 40_000)  # bytes of a file
_COUNT = """
import { readFileSync } from 'fs';
const { encode } = await import(process.argv[1]);
const options = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
const texts = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map((text) => encode(text, options).length)));
"""


class Sample(NamedTuple):
    """A file, and what is counted in it."""

    repository: str
    language: str
    counts: PieceCounts
    n_tokens: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("clones", type=Path, nargs="+")
    parser.add_argument("--files", type=int, default=12)
    parser.add_argument("--encoding", default="o200k_base")
    options = parser.parse_args()
    texts = [text for clone in options.clones for text in read_texts(clone, options.files)]
    counted = count_tokens(options.folder, options.encoding, [text for _, _, text in texts])
    samples = [
        Sample(repository, language, count_pieces(text), number)
        for (repository, language, text), number in zip(texts, counted, strict=True)
    ]
    print(f"{'language':12} files  as shipped: of all, files within 10 %   fitted elsewhere: of all, files within 10 %")
    shipped, fitted = [weigh(WEIGHTS, one) for one in samples], estimate_apart(samples)
    for language in [*sorted({one.language for one in samples}), ""]:
        chosen = [index for index, one in enumerate(samples) if language in ("", one.language)]
        cells = "   ".join(
            _score([samples[i].n_tokens for i in chosen], [some[i] for i in chosen]) for some in (shipped, fitted)
        )
        print(f"{language or 'all':12} {len(chosen):5}  {cells}")


def read_texts(clone: Path, n_files: int) -> list[tuple[str, str, str]]:
    """Repository, language and text of some files."""
    by_language: defaultdict[str, list[str]] = defaultdict(list)
    for line in _git(clone, "ls-tree", "-r", "-l", "HEAD").decode("utf-8", "replace").splitlines():
        meta, _, path = line.partition("\t")
        _, kind, blob, size = meta.split()
        spec = load_registry().of_path(path)
        if kind == "blob" and size.isdigit() and int(size) in _SIZES and spec is not None:
            by_language[spec.name].append(blob)
    chosen = random.Random(clone.name)  # noqa: S311 - the same every time
    return [
        (clone.name, language, _git(clone, "cat-file", "blob", blob).decode("utf-8", "replace"))
        for language, blobs in sorted(by_language.items())
        for blob in chosen.sample(blobs, min(n_files, len(blobs)))
    ]


def count_tokens(folder: Path, encoding: str, texts: Sequence[str]) -> list[int]:
    module = folder.resolve() / f"node_modules/gpt-tokenizer/esm/encoding/{encoding}.js"
    command = ["node", "--input-type=module", "-e", _COUNT, str(module)]
    result = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    counted: list[int] = json.loads(result.stdout)
    return counted


def weigh(weights: Sequence[float], sample: Sample) -> float:
    return sum(weight * number for weight, number in zip(weights, sample.counts, strict=True))


def estimate_apart(samples: Sequence[Sample]) -> list[float]:
    """Each by weights that are fitted to the samples of other repositories."""
    names = sorted({one.repository for one in samples})
    random.Random(1).shuffle(names)  # noqa: S311 - the same every time
    part = {name: index % _N_PARTS for index, name in enumerate(names)}
    weights = [fit([one for one in samples if part[one.repository] != index]) for index in range(_N_PARTS)]
    return [weigh(weights[part[one.repository]], one) for one in samples]


def fit(samples: Sequence[Sample]) -> list[float]:
    """The weights with the least squares of relative errors, by the normal equations."""
    rows = [[number / one.n_tokens for number in one.counts] for one in samples]
    size = len(WEIGHTS)
    matrix = [[sum(row[i] * row[j] for row in rows) + (i == j) * 1e-9 for j in range(size)] for i in range(size)]
    right = [sum(row[i] for row in rows) for i in range(size)]
    for i in range(size):
        for j in range(i + 1, size):
            factor = matrix[j][i] / matrix[i][i]
            matrix[j] = [b - factor * a for a, b in zip(matrix[i], matrix[j], strict=True)]
            right[j] -= factor * right[i]
    weights = [0.0] * size
    for i in reversed(range(size)):
        weights[i] = (right[i] - sum(matrix[i][j] * weights[j] for j in range(i + 1, size))) / matrix[i][i]
    return weights


def _score(counted: Sequence[int], estimated: Sequence[float]) -> str:
    near = sum(abs(one / number - 1) <= 0.1 for one, number in zip(estimated, counted, strict=True))
    return f"{sum(estimated) / sum(counted) - 1:+7.1%} {near / len(counted):5.0%}"


def _git(clone: Path, *arguments: str) -> bytes:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=clone, capture_output=True, check=False).stdout


if __name__ == "__main__":
    main()
