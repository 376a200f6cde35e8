"""The messages of SCIP that an export has, for the protobuf library to read.

Numbers and types are those of the schema that is published at https://github.com/sourcegraph/scip; with the whole
schema, Flask's export was read with the same result.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_Field = descriptor_pb2.FieldDescriptorProto
_TYPES = {"string": _Field.TYPE_STRING, "int32": _Field.TYPE_INT32, "bool": _Field.TYPE_BOOL}

# Messages with their fields: number, type, and `repeated` where there can be many.
MESSAGES = {
    "Index": {"metadata": "1 Metadata", "documents": "2 Document repeated"},
    "Metadata": {
        "version": "1 int32",
        "tool_info": "2 ToolInfo",
        "project_root": "3 string",
        "text_document_encoding": "4 int32",
    },
    "ToolInfo": {"name": "1 string", "version": "2 string"},
    "Document": {
        "relative_path": "1 string",
        "occurrences": "2 Occurrence repeated",
        "symbols": "3 SymbolInformation repeated",
        "language": "4 string",
        "text": "5 string",
        "position_encoding": "6 int32",
    },
    "SymbolInformation": {
        "symbol": "1 string",
        "documentation": "3 string repeated",
        "relationships": "4 Relationship repeated",
        "kind": "5 int32",
        "display_name": "6 string",
        "signature_documentation": "7 Document",
    },
    "Relationship": {"symbol": "1 string", "is_reference": "2 bool", "is_implementation": "3 bool"},
    "Occurrence": {
        "range": "1 int32 repeated",
        "symbol": "2 string",
        "symbol_roles": "3 int32",
        "enclosing_range": "7 int32 repeated",
    },
}


def read_index(content: bytes) -> Any:
    return read_message("Index", content)


def read_message(name: str, content: bytes) -> Any:
    """A field that is not in the table is an error."""
    message = _message_type(name)()
    message.ParseFromString(content)
    again = message.SerializeToString()
    message.DiscardUnknownFields()
    assert message.SerializeToString() == again, "fields that the schema does not have"
    return message


@cache
def _message_type(name: str) -> Any:
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"scip.{name}"))


@cache
def _pool() -> descriptor_pool.DescriptorPool:
    file = descriptor_pb2.FileDescriptorProto(name="scip_subset.proto", package="scip", syntax="proto3")
    for kind_of_message, fields in MESSAGES.items():
        message = file.message_type.add(name=kind_of_message)
        for field, text in fields.items():
            number, kind, *repeated = text.split()
            label = _Field.LABEL_REPEATED if repeated else _Field.LABEL_OPTIONAL
            added = message.field.add(name=field, number=int(number), label=label)
            added.type = _TYPES.get(kind, _Field.TYPE_MESSAGE)
            if kind not in _TYPES:
                added.type_name = f".scip.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool
