"""Kinds of definitions that resolution treats alike."""

from __future__ import annotations

from birthmark.model import CLASS_LIKE

TYPES = CLASS_LIKE - {"impl"}
NAMED_TYPES = TYPES | {"typedef"}
VALUES = frozenset({"var", "const", "field", "member"})
ALIASES = VALUES | {"typedef"}  # `const f = require('./f')` and `using X = A.B` define what they import.
SPACES = frozenset({"mod", "namespace"})
