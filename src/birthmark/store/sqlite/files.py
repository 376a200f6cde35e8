"""The files of the stores in a repository's folder."""

from __future__ import annotations

from pathlib import Path

from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.log import RowLog


def index_file(location: StoreLocation) -> Path:
    return location.folder / "index.db"


def subscription_file(location: StoreLocation) -> Path:
    return location.folder / "subscriptions.db"


def ledger_log(location: StoreLocation) -> RowLog:
    return RowLog(location.folder / "ledger.log")


def subscription_log(location: StoreLocation) -> RowLog:
    return RowLog(location.folder / "subscriptions.log")
