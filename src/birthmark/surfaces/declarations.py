"""The declaration of an entity on one line, by its qualified name: `def Flask.url_for(self, endpoint: str) -> str`."""

from __future__ import annotations

import re

from birthmark.model import Entity
from birthmark.surfaces.formats.wording import plain

_OPENED, _CLOSED = re.compile(r"(?<=[(\[]) "), re.compile(r",? (?=[)\]])")  # where a list was broken into lines


def declaration(entity: Entity) -> str:
    """A signature without the name has it put before."""
    signature, name = local_declaration(entity), plain(entity.qualified_name)
    if re.search(_word(name), signature):
        return signature
    found = re.search(_word(plain(entity.name)), signature)
    if found is None:
        return f"{name}  {signature}".rstrip()
    return signature[: found.start()] + name + signature[found.end() :]


def local_declaration(entity: Entity) -> str:
    """As it is written inside of what contains it."""
    return plain(_CLOSED.sub("", _OPENED.sub("", entity.signature)) or entity.name)


def _word(name: str) -> str:
    return rf"(?<![\w$.]){re.escape(name)}(?![\w$])"
