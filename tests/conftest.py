"""What holds for all tests: output is not cut, no example has to be quick, and nothing is kept in the user's cache.

Processes of pytest-xdist are given the COLUMNS of the terminal; a busy machine is no failure.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
os.environ.pop("COLUMNS", None)
os.environ["XDG_CACHE_HOME"] = os.devnull
