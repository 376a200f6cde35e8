"""Keep with an index which packages its manifests define, so that other repositories find what they depend on."""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.graph.manifests.package import Package
from birthmark.store.port import Store

_META = "packages"
_READING = "1"  # raised when the same manifests give other packages
_LONGEST = 300  # characters of a name; registries allow fewer


def forget_packages(store: Store) -> None:
    """Before manifests change: should the update be interrupted, the next one reads them."""
    store.set_meta(_META, "")


def keep_packages(store: Store, worktree: str) -> None:
    """Those of a worktree, unless nothing has changed in what they are read from."""
    if store.meta(_META) == _READING:
        return
    from birthmark.extraction.kept_texts import kept_manifests  # which most updates do without
    from birthmark.graph.manifests.readers import packages_of

    snapshot = store.snapshot(worktree)
    manifests = kept_manifests(store, store.files(snapshot.snapshot)) if snapshot is not None else {}
    store.put_packages(_storable(packages_of(manifests)))
    store.set_meta(_META, _READING)


def _storable(packages: Iterable[Package]) -> list[Package]:
    """Without names that no registry has, and that not every database can hold."""
    sound = (one for one in packages if all(map(_is_sound, (one.name, one.folder, one.manifest))))
    return [one._replace(dependencies=tuple(filter(_is_sound, one.dependencies))) for one in sound]


def _is_sound(text: str) -> bool:
    return len(text) <= _LONGEST and "\0" not in text and not any("\ud800" <= one <= "\udfff" for one in text)
