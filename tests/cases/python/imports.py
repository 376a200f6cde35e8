from __future__ import annotations

import a
import b.c as d
from . import e
from ..f import g as h, i
from j import *

__all__ = ["k", "l"]
