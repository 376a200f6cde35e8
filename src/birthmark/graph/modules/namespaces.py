"""Names that start at the root of all namespaces, or at the namespace that a file is in.

Takes Imports and the steps of a path; gives what its longest part that is defined means, and the steps that are left.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.graph.evaluation.model import Site
from birthmark.graph.modules.imports import Hit, Imports
from birthmark.graph.modules.modules import Module
from birthmark.graph.reading.paths import count_names
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import Resolution

Steps = tuple[str, ...]


def find_rooted(imports: Imports, rules: ResolutionRules, steps: Sequence[str]) -> tuple[Hit, int] | None:
    """What is defined in a namespace, and how many steps lead to it."""
    n_names = count_names(steps)
    for n_steps in range(n_names, 0, -1):
        namespace = Module(None, None, rules.separator.join(steps[: n_steps - 1]))
        members = imports.members(rules, namespace, steps[n_steps - 1])
        if members:
            return Hit(Resolution.IMPORT, members), n_steps
    return None


def find_qualified(imports: Imports, site: Site, steps: Steps) -> tuple[Hit, int] | None:
    """`A\\B` where `A` is an imported namespace, or one in that of the file; a bare name is in that of the file."""
    imported = site.names.bound(steps[0], site.source)
    prefix = site.names.namespace
    if imported:
        prefix = site.rules.separator.join(filter(None, [imported[0].receiver, imported[0].name]))
    around = tuple(prefix.split(site.rules.separator)) if prefix else ()
    found = find_rooted(imports, site.rules, (*around, *(steps[1:] if imported else steps)))
    if found is not None and found[1] > len(around):
        return found[0], found[1] - len(around) + bool(imported)
    return None if imported else find_rooted(imports, site.rules, steps)
