"""The number of examples of each property, controlled by one setting.

BIRTHMARK_EXAMPLES is the number for ordinary properties. `make test` leaves it at DEFAULT, `make test-fast` sets it
low, `make stores` and `make chaos` set it high.
"""

from __future__ import annotations

import os

DEFAULT = 40  # Keeps all tests together below eight minutes.
N_EXAMPLES = int(os.environ.get("BIRTHMARK_EXAMPLES") or DEFAULT)
IS_THOROUGH = N_EXAMPLES > DEFAULT  # includes cases that take too long for every run


def n_examples(usual: int) -> int:
    """Return the number of examples for a property that has `usual` of them at the default setting.

    The number follows the setting in proportion and is never zero. Above the default, an expensive property gets as
    many examples as an ordinary one.
    """
    return max(round(usual * N_EXAMPLES / DEFAULT), N_EXAMPLES if IS_THOROUGH else 1)
