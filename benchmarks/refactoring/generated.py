"""Many functions that are nearly the same, as a generator writes them; then some of them come, go and are renamed."""

from __future__ import annotations

import re
from collections import Counter

from refactoring.sites import Site
from refactoring.trees import Definition

N_GENERATED = 150


def prepare_generated(site: Site) -> bool:
    """A function of the project, many times over: with another name, and one other word in the body."""
    models = [one for one in site.functions(2) if len(one.lines) < 16 and _calls(one)]
    model = site.choose(models)
    if model is None or len(model.name) < 4:
        return False
    _, siblings = site.tree.where(model)
    at = siblings.index(model) + 1
    for number in reversed(range(N_GENERATED)):
        siblings[at:at] = ["\n", _variant(site, model, number * 2)]
    return True


def _calls(function: Definition) -> list[str]:
    return [word for word in re.findall(r"\b([A-Za-z_]\w{3,})\(", "".join(function.body)) if word != function.name]


def _variant(site: Site, model: Definition, number: int) -> Definition:
    made = site.duplicate(model)
    made.name, call = f"{model.name}{number}", _calls(model)[0]
    for old, new in ((model.name, made.name), (call, f"{call}{number}")):
        word = re.compile(rf"\b{re.escape(old)}\b")
        made.parts = [word.sub(new, part) if isinstance(part, str) else part for part in made.parts]
        made.head = word.sub(new, made.head)
    return made


def change_generated(site: Site) -> bool:
    """In the middle of many that are nearly the same some are deleted, some come, and some are renamed."""
    names = Counter(re.sub(r"\d+$", "", one.name) for one in site.functions(1))
    stem = names.most_common(1)[0][0]
    row = [one for one in site.functions(1) if re.fullmatch(rf"{re.escape(stem)}\d+", one.name)]
    if len(row) < N_GENERATED:
        return False
    chosen = site.random.sample(range(10, len(row) - 10), 12)
    for at in chosen[:4]:
        site.touch(row[at], row[at - 1], row[at + 1])
        site.remove(row[at])
    for at in chosen[4:8]:
        site.rename(row[at])
        site.touch(row[at - 1], row[at + 1])
    for at in chosen[8:]:
        _, siblings = site.tree.where(row[at])
        made = _variant_of(site, row[at])
        siblings.insert(siblings.index(row[at]) + 1, made)
        site.touch(made, row[at])
    return True


def _variant_of(site: Site, model: Definition) -> Definition:
    """As the generator would make it: the number is the next odd one."""
    old = re.sub(r".*?(\d+)$", r"\1", model.name)
    made, new = site.duplicate(model), str(int(old) + 1)
    made.name = model.name[: -len(old)] + new
    word = re.compile(rf"(?<=[A-Za-z_]){old}\b")
    made.parts = [word.sub(new, part) if isinstance(part, str) else part for part in made.parts]
    made.head = word.sub(new, made.head)
    return made
