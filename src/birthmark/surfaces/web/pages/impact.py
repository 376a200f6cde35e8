"""What may break when an entity is changed: a tree, as a picture and as a list."""

from __future__ import annotations

from collections import defaultdict

from birthmark.documents.answers import ShownDocument
from birthmark.documents.uses import ImpactDocument, ImpactUserDocument
from birthmark.questions.impact import Impact
from birthmark.surfaces.formats.pictures.impact_tree import draw_impact
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import IMPACT
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.surfaces.web.pages.graph import label_link
from birthmark.surfaces.web.pages.subject import read_subject

_MOST = 200  # users
_SECONDS = 20.0  # for the question, when all edges are there


def show_impact(query: HttpQuery) -> WebPage | Redirect:
    entity = read_subject(query, IMPACT)
    if not isinstance(entity, ShownDocument):
        return entity
    depth, tests = int(query.values["depth"]), query.get("tests") != "false"
    asked = Impact(ref=query.ref, depth=depth, tests=tests, timeout=_SECONDS, limit=_MOST)
    document = asked.answer(query.session)
    values = {"entity": entity, "impact": document, "tree": _tree(document), "depth": depth, "tests": tests}
    values["deeper"] = max((user.depth for user in document.results), default=0) >= depth
    pictures = {"impact": draw_impact(document, label_link)} if document.results else {}
    return WebPage("impact.html", f"Impact of {entity.qualified_name}", values, entity.freshness, pictures)


def _tree(document: ImpactDocument) -> dict[str, list[ImpactUserDocument]]:
    """Users by what they use, one step nearer; direct ones under the empty text."""
    tree: defaultdict[str, list[ImpactUserDocument]] = defaultdict(list)
    for user in document.results:
        tree["" if user.depth == 1 else user.through].append(user)
    return dict(tree)
