"""`--store`, `--repository` and `--trust`, which are understood before a command and after it."""

from __future__ import annotations

import os

import click


def setting_options(*, is_hidden: bool) -> list[click.Option]:
    """They are described once, where they are not hidden."""
    return [
        click.Option(
            ["--store"],
            metavar="URL",
            expose_value=False,
            callback=_use_store,
            hidden=is_hidden,
            help="Keep the index in PostgreSQL instead of .birthmark/: postgresql://HOST/DATABASE; or BIRTHMARK_STORE.",
        ),
        click.Option(
            ["--repository"],
            metavar="NAME",
            expose_value=False,
            callback=_use_repository,
            hidden=is_hidden,
            help="What the repository is called there; else host/owner/name of its origin; or BIRTHMARK_REPOSITORY.",
        ),
        click.Option(
            ["--trust"],
            metavar="DIGEST",
            expose_value=False,
            callback=_use_trust,
            hidden=is_hidden,
            help="Trust the birthmark.toml with this digest, see `birthmark trust`; or BIRTHMARK_TRUST.",
        ),
    ]


def _use_store(_: click.Context, __: click.Parameter, url: str | None) -> None:
    if url is not None:
        from birthmark.app.workspace.workspace import STORE, choose_store

        os.environ[STORE] = choose_store(url)


def _use_repository(_: click.Context, __: click.Parameter, name: str | None) -> None:
    if name is not None:
        from birthmark.app.workspace.workspace import REPOSITORY

        os.environ[REPOSITORY] = name


def _use_trust(_: click.Context, __: click.Parameter, digest: str | None) -> None:
    if digest is not None:
        from birthmark.app.workspace.trusting import trust_digest

        trust_digest(digest)
