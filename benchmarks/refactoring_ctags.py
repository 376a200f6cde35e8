"""What tools say that know a definition by its path and its name, on the cases of `refactorings.py --write`.

    python benchmarks/refactoring_ctags.py OUT > PREDICTIONS.jsonl

Names are read by universal-ctags. Two definitions are linked if path, scope and name are the same, several in order.
It is also an example of how the predictions of another tool are written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Tag = dict[str, Any]
_COMMAND = ("ctags", "--output-format=json", "--fields=+nsS", "-R", "-f", "-", ".")


def main() -> None:
    out = Path(sys.argv[1])
    for old in sorted(out.rglob("old")):
        for link in link_states(old, old.with_name("new")):
            print(json.dumps({"case": old.parent.relative_to(out).as_posix()} | link))


def link_states(old: Path, new: Path) -> list[Tag]:
    before, after = read_tags(old), read_tags(new)
    return [
        {"old": place(one), "new": place(other)}
        for key in before.keys() & after.keys()
        for one, other in zip(before[key], after[key], strict=False)
    ]


def read_tags(root: Path) -> dict[tuple[str, str, str], list[Tag]]:
    """By path, scope and name, in the order of lines."""
    done = subprocess.run(_COMMAND, cwd=root, capture_output=True, check=True)
    tags = [json.loads(line) for line in done.stdout.decode(errors="replace").splitlines()]
    found: defaultdict[tuple[str, str, str], list[Tag]] = defaultdict(list)
    for tag in sorted((tag for tag in tags if tag["_type"] == "tag"), key=lambda tag: int(tag["line"])):
        found[tag["path"], tag.get("scope", ""), tag["name"]].append(tag)
    return dict(found)


def place(tag: Tag) -> Tag:
    return {"path": tag["path"].removeprefix("./"), "line": tag["line"], "name": tag["name"]}


if __name__ == "__main__":
    main()
