"""Pages that take long: one that waits is shown meanwhile, and the work is done once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from web_pages import check_html

from birthmark.app.workspace.freshness import ShowProgress
from birthmark.app.workspace.session import FolderSessions
from birthmark.errors import NotFoundError
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.page import WebPage
from birthmark.surfaces.web.rendering import Visit, render_page
from birthmark.surfaces.web.site import answer_or_wait

PAGE = WebPage("error.html", "Done", {})
QUERY = HttpQuery(FolderSessions(Path("/nowhere")), {"ref": "f"})


class Slow:
    """A page that is ready when it is told so."""

    def __init__(self) -> None:
        self.may_end, self.n_started = Event(), 0

    def __call__(self, query: HttpQuery, show_progress: ShowProgress) -> WebPage:
        self.n_started += 1
        with show_progress() as progress:
            progress("resolving references", 3, 7)
        assert self.may_end.wait(20)
        return PAGE


@pytest.fixture
def slow() -> Iterator[Slow]:
    slow = Slow()
    yield slow
    slow.may_end.set()


def test_a_page_that_is_ready_is_shown_at_once(slow: Slow) -> None:
    slow.may_end.set()
    assert answer_or_wait(slow, "Counting", QUERY) is PAGE


def test_a_page_that_is_not_ready_says_how_far_it_is(slow: Slow) -> None:
    show = partial(answer_or_wait, slow, "Counting", seconds=0.2)
    waiting = show(QUERY)
    assert isinstance(waiting, WebPage)
    assert waiting.status == 202
    html = render_page(waiting, Visit("shop", "/graph/f", "token")).decode()
    check_html(html)
    assert "Counting" in html
    assert "Resolving references: 3 of 7." in html
    show(QUERY)
    assert slow.n_started == 1
    slow.may_end.set()
    assert answer_or_wait(slow, "Counting", QUERY, 20) is PAGE
    assert slow.n_started == 1


def test_a_page_is_shared_by_those_alone_who_see_the_same_repositories(slow: Slow) -> None:
    show = partial(answer_or_wait, slow, "Counting", seconds=0.05)
    for visible in (frozenset({"shop"}), frozenset({"shop"}), frozenset({"shop", "money"}), None):
        show(QUERY._replace(visible=visible))
    assert slow.n_started == 3


def test_what_was_shown_is_made_again(slow: Slow) -> None:
    slow.may_end.set()
    show = partial(answer_or_wait, slow, "Counting")
    show(QUERY)
    show(QUERY)
    assert slow.n_started == 2


def test_an_error_is_raised_where_the_page_is_asked_for() -> None:
    def fail(query: HttpQuery, show_progress: ShowProgress) -> WebPage:
        raise NotFoundError("it is not there")

    for _ in range(2):
        with pytest.raises(NotFoundError, match="it is not there"):
            answer_or_wait(fail, "Counting", QUERY)


def test_only_some_are_made_at_once(slow: Slow) -> None:
    show = partial(answer_or_wait, slow, "Counting", seconds=0.01)
    for number in range(4):
        show(QUERY._replace(values={"ref": str(number)}))
    with pytest.raises(RequestError, match="too many pages"):
        show(QUERY._replace(values={"ref": "one more"}))
