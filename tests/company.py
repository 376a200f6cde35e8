"""Small repositories that depend on one another, indexed into one database: libraries, and what uses them.

`money` is a library in Python, `shop` depends on it and `office` on `shop`; `scripts` has no manifest, `quiet` depends
on nothing. `dates` is a package of JavaScript, `site` depends on it and passes `day` on to `page`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from running import Result, birthmark
from small_repositories import Commit, make_repository

ROUND_UP = """def round_up(amount, digits):
    factor = 10 ** digits
    scaled = amount * factor
    whole = int(scaled)
    if scaled > whole:
        whole = whole + 1
    if whole < 0:
        whole = whole - 1
    print(amount, digits, whole)
    return whole / factor
"""
TAX = """def tax_of(prices, rates):
    total = 0
    for kind, price in prices.items():
        rate = rates.get(kind, rates["other"])
        total += price * rate / (100 + rate)
    return round(total, 2)
"""
HOSTILE = 'it\'s/a "name"; DROP TABLE birthmark.entities; --'  # what an organisation may call a repository

MONEY = {
    "pyproject.toml": '[project]\nname = "Acme_Money"\n',
    "src/money/__init__.py": "from .rounding import round_up\nfrom .account import Account\n",
    "src/money/rounding.py": ROUND_UP,
    "src/money/account.py": "class Account:\n    def close(self):\n        return self\n",
}
SHOP = {
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["acme-money>=1"]\n',
    "shop/__init__.py": "",
    "shop/cart.py": "from money import round_up\n\n\ndef total(items):\n    return round_up(sum(items), 2)\n",
    "shop/pay.py": "from shop.cart import total\n\n\ndef pay(items):\n    return total(items)\n",
}
OFFICE = {
    "pyproject.toml": '[project]\nname = "office"\ndependencies = ["shop"]\n',
    "office/report.py": "from shop.pay import pay\n\n\ndef report():\n    return pay([1])\n",
}
SCRIPTS = {"once.py": "import money\n\nprint(money.round_up(1.5, 0))\n"}
QUIET = {
    "pyproject.toml": '[project]\nname = "quiet"\ndependencies = ["numpy"]\n',
    "quiet.py": "from money import round_up\n\nround_up(1, 2)\n",
    "vendored.py": ROUND_UP.replace("whole + 1", "whole + 2"),
    "renamed.py": ROUND_UP.replace("round_up(", "ceiling(") + "\n\ndef shut(self):\n    return self\n",
    "tax.py": TAX,
}
DATES = {
    "package.json": '{"name": "@acme/dates", "main": "./lib/index.js"}',
    "lib/index.js": "export { day } from './day'\n",
    "lib/day.js": "export function day(x) {\n  return x\n}\n",
}
SITE = {
    "package.json": '{"name": "site", "main": "./src/index.js", "dependencies": {"@acme/dates": "^1"}}',
    "src/index.js": "export { day as date } from '@acme/dates'\n",
    "src/main.ts": "import { day } from '@acme/dates'\n\nexport const now = () => day(1)\n",
}
PAGE = {
    "package.json": '{"name": "page", "dependencies": {"site": "^1"}}',
    "page.ts": "import { date } from 'site'\n\nexport const today = () => date(1)\n",
}
COMPANY = {
    "money": MONEY,
    "shop": SHOP,
    HOSTILE: OFFICE,
    "scripts": SCRIPTS,
    "quiet": QUIET,
    "dates": DATES,
    "site": SITE,
    "page": PAGE,
}
MOVED_AWAY = {"money": {"src/money/tax.py": TAX}}  # in the first commit alone
BIRTHS = {"money": 1_500_000_000, "quiet": 1_600_000_000}


def make_company(folder: Path, url: str, names: Iterable[str] = COMPANY) -> dict[str, Path]:
    """The roots of the repositories, by name."""
    roots = {}
    for number, name in enumerate(names):
        root = roots[name] = folder / str(number)
        first = Commit({**COMPANY[name], **MOVED_AWAY.get(name, {})}, at=BIRTHS.get(name))
        make_repository(root, [first, *([COMPANY[name]] if name in MOVED_AWAY else [])])
        done = ask(url, name, "index", *(["--from-history"] if name in BIRTHS else []), cwd=root)
        assert done.returncode == 0, done.stderr
    return roots


def ask(url: str, name: str, *arguments: str, cwd: Path) -> Result:
    return birthmark("--store", url, "--repository", name, *arguments, cwd=cwd)
