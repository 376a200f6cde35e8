-- The name in a key, so that what once had it can be looked up. A semantic path is `language:kind:name[:parent]:place`.

ALTER TABLE keys ADD COLUMN from_kind TEXT AS (substr(semantic_path, instr(semantic_path, ':') + 1)) VIRTUAL;
ALTER TABLE keys ADD COLUMN from_name TEXT AS (substr(from_kind, instr(from_kind, ':') + 1)) VIRTUAL;
ALTER TABLE keys ADD COLUMN simple_name TEXT AS (substr(from_name, 1, instr(from_name, ':') - 1)) VIRTUAL;
