"""The files of the stores in a repository's folder."""

from __future__ import annotations

from pathlib import Path

from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.log import LedgerLog


def index_file(location: StoreLocation) -> Path:
    return location.folder / "index.db"


def subscription_file(location: StoreLocation) -> Path:
    return location.folder / "subscriptions.db"


def ledger_log(location: StoreLocation) -> LedgerLog:
    return LedgerLog(location.folder / "ledger.log")
