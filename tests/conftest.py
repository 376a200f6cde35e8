"""What holds for all tests: output is not cut, however wide the screen is on which they run.

Processes of pytest-xdist are given the COLUMNS of the terminal.
"""

from __future__ import annotations

import os

os.environ.pop("COLUMNS", None)
