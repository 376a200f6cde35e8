"""The addresses at which pages are tested and pictured: each page once, and once more where it can look otherwise."""

from __future__ import annotations

import re

from birthmark.surfaces.web.routes import PAGES

VISITS = {
    "overview": "/",
    "folder": "/?folder=shop",
    "search": "/search?text=price",
    "file": "/file/shop/basket.py",
    "hotspots": "/hotspots",
    "entity": "/entity/Basket.price",
    "deleted": "/entity/discount",
    "past": "/entity/Basket.price?at=v1.0",
    "life": "/life/Basket.price",
    "diff": "/diff?base=v1.0&target=HEAD",
    "graph": "/graph/Basket.price",
    "users": "/users/Basket.price",
    "impact": "/impact/Basket.price",
    "tests": "/tests/Basket.price",
    "modules": "/modules",
    "path": "/path?start=place_order&end=round_cents",
    "notes": "/notes",
    "subscriptions": "/subscriptions",
    "subscription": "/subscriptions/{subscription}",
    "deletion": "/subscriptions/{subscription}/delete",
    "scans": "/scans",
    "scan": "/scans/1",
    "deliveries": "/deliveries",
}


def pattern_of(path: str) -> re.Pattern[str]:
    parts = re.sub(r"\\{\w+:rest\\}", ".+", re.escape(path))
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", parts))


PATTERNS = {page.path: pattern_of(page.path) for page in PAGES if not page.is_form}
