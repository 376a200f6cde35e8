"""The estimate is near to what a tokenizer counts, and adds up line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.queries.context import estimate_tokens, token_weight

# Counted with `o200k_base`.
COUNTED = [
    (
        "def url_for(self, endpoint: str, *, _anchor: str | None = None) -> str:\n"
        '    """Generate a URL to the given endpoint."""\n'
        "    if self.request_context is not None:\n"
        "        return self.url_adapter.build(endpoint, force_external=True)\n"
        '    raise RuntimeError("Unable to build URLs outside of an active request.")\n',
        68,
    ),
    (
        "public final class HttpServerFactory extends AbstractFactory<Server> {\n"
        "    private static final int MAX_RETRIES = 3;\n"
        "\n"
        "    @Override\n"
        "    public Server create(String hostName, int port) {\n"
        "        return new Server(Objects.requireNonNull(hostName), port);\n"
        "    }\n"
        "}\n",
        58,
    ),
    (
        "export async function fetchUsers({ limit = 10, offset = 0 } = {}) {\n"
        "  const response = await fetch(`/api/users?limit=${limit}&offset=${offset}`);\n"
        "  if (!response.ok) {\n"
        '    throw new Error("request failed: " + response.status);\n'
        "  }\n"
        "  return response.json();\n"
        "}\n",
        65,
    ),
    (
        "func (s *Server) handleRequest(w http.ResponseWriter, r *http.Request) error {\n"
        "\tif r.Method != http.MethodPost {\n"
        '\t\treturn fmt.Errorf("method not allowed: %s", r.Method)\n'
        "\t}\n"
        "\tdefer r.Body.Close()\n"
        "\treturn json.NewDecoder(r.Body).Decode(&s.payload)\n"
        "}\n",
        63,
    ),
    (
        "# Find what uses a definition\n"
        "\n"
        "Before a function is changed, renamed or deleted, ask what would notice:\n"
        "\n"
        "The answer lists by file and line what calls it, which classes inherit from it, "
        "and which methods override it.\n",
        45,
    ),
]


@pytest.mark.parametrize(("text", "n_tokens"), COUNTED)
def test_it_is_within_a_tenth(text: str, n_tokens: int) -> None:
    assert abs(estimate_tokens(text) - n_tokens) <= max(2, n_tokens * 0.1)


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), min_size=1)
    )
)
def test_it_adds_up_over_lines(lines: list[str]) -> None:
    lines = [f"x{line}\n" for line in lines]
    assert token_weight("".join(lines)) == pytest.approx(sum(map(token_weight, lines)))


@given(st.text(), st.text())
def test_more_text_is_never_much_less(text: str, more: str) -> None:
    assert estimate_tokens(text) >= 0
    assert token_weight(f"{text}\n{more}") >= token_weight(text) - 1
