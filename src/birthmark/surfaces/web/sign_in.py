"""How a browser gets access: a link, or the token in a form, sets a cookie once.

All secrets of browsers are derived from the token of the server, so that nothing has to be stored. The link has a code
that is good until the server stops; the cookie holds until the token is replaced.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import NamedTuple


class BrowserSecrets(NamedTuple):
    """What a browser may send instead of the token."""

    cookie_name: str
    cookie: str
    form_token: str  # in every form, so that no other page can send one
    code: str  # in the link that is printed

    @classmethod
    def of(cls, token: bytes, port: int) -> BrowserSecrets:
        """Cookies do not know of ports, so their names do."""
        return cls(f"birthmark-{port}", _derive(token, "cookie"), _derive(token, "form"), secrets.token_urlsafe(24))

    def allows_code(self, code: str) -> bool:
        return secrets.compare_digest(code.encode(), self.code.encode())

    def allows_form(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.form_token.encode())


def _derive(token: bytes, purpose: str) -> str:
    return hmac.new(token, f"birthmark {purpose}".encode(), sha256).hexdigest()
