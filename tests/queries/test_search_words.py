"""How near a name is to what is searched for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.queries.search import match_name, nearest_names, read_search
from birthmark.vocabulary import SearchMatch

NAME, PART, SLIP = SearchMatch.NAME, SearchMatch.PART, SearchMatch.SLIP

CASES = [
    # The same, however it is written.
    ("url_for", "url_for", NAME),
    ("urlFor", "url_for", NAME),
    ("URL for", "url_for", NAME),
    ("url-for", "urlFor", NAME),
    ("Flask.url_for", "Flask.url_for", NAME),
    ("flask::urlFor", "app.Flask.url_for", NAME),
    ("url_for", "Flask.url_for", NAME),
    ("+", "Vector.+", NAME),
    # All words are in it.
    ("absolute url", "get_absolute_url", PART),
    ("url absolute", "get_absolute_url", PART),
    ("resolve", "URLResolver", PART),
    ("solve", "URLResolver", PART),
    ("form save", "BaseModelForm.save_form", PART),
    ("send mail admins", "mail_admins", PART),
    # A few characters differ.
    ("HttpRespose", "HttpResponse", SLIP),
    ("Modle", "Model", SLIP),
    ("rnu", "run", SLIP),
    ("Artcle.headline", "Article.headline", SLIP),
    ("Article.haedline", "blog.Article.headline", SLIP),
    # Nowhere near.
    ("ru", "go", None),
    ("render", "send", None),
    ("Article.headline", "Author.headline", None),
    ("send mail", "mail_admins", None),
]


@pytest.mark.parametrize(("text", "name", "expected"), CASES)
def test_what_of_a_name_matches(text: str, name: str, expected: SearchMatch | None) -> None:
    found = match_name(read_search(text), name)
    assert (found.match if found is not None else None) == expected


# The first is nearer than the second.
NEARER = [
    ("url_for", "url_for", "urlFor"),
    ("urlfor", "url_for", "get_url_for"),
    ("resolve", "resolver", "resolve_url"),
    ("resolve", "resolve_expression", "unresolved_names"),
    ("absolut_url", "absolute_url", "absolute_urls"),
    ("HttpRespose", "HttpResponse", "HttpResponseBase"),
    ("send the mail", "send_the_mail_now", "send_mail"),
]


@pytest.mark.parametrize(("text", "near", "far"), NEARER)
def test_which_name_is_nearer(text: str, near: str, far: str) -> None:
    search = read_search(text)
    one, other = match_name(search, near), match_name(search, far)
    assert one is not None
    assert other is None or one.cost < other.cost
    assert nearest_names(search, [far, near], 1) == [near]


def test_a_short_name_may_have_a_slip_where_its_class_is_given() -> None:
    assert nearest_names(read_search("Item.__sr__"), ["__str__"], 9) == ["__str__"]
    assert nearest_names(read_search("__sr__"), ["__str__"], 9) == []
    assert match_name(read_search("Item.__sr__"), "Item.__str__") is not None


def test_a_former_name_is_a_little_further_away() -> None:
    now, former = (match_name(read_search("total"), "Cart.total", is_former=is_former) for is_former in (False, True))
    assert now is not None
    assert former is not None
    assert (now.match, former.match) == (SearchMatch.NAME, SearchMatch.FORMER)
    assert now.cost < former.cost


IDENTIFIERS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{3,20}", fullmatch=True).filter(lambda name: name.strip("_"))


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40))
def test_every_name_matches_itself_best(name: str) -> None:
    found = match_name(read_search(name), name)
    assert found is not None
    assert (found.match, found.cost) == (SearchMatch.NAME, 0.0)


@given(IDENTIFIERS, st.data())
def test_a_name_is_found_with_two_characters_exchanged(name: str, data: st.DataObject) -> None:
    """Unless so few are left that any other could be meant."""
    at = data.draw(st.integers(0, len(name) - 2))
    slipped = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    if len(name.replace("_", "")) >= 3 and slipped.strip("_"):
        assert match_name(read_search(slipped), name) is not None
        assert nearest_names(read_search(slipped), [name], 1) == [name]


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "x" * 201])
def test_what_cannot_be_searched_for(text: str) -> None:
    with pytest.raises(BirthmarkError, match=r"^TEXT"):
        read_search(text)
