"""The JSON documents of the command line and of HTTP: one frozen struct each, and functions that make them from values.

JSON, JSON Schema, OpenAPI and the tables of `docs/reference/wire.md` are made from these structs. A field may be added,
never renamed.
"""
