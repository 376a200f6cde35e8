-- The hash of a body that is proof enough under another name, so that a database of many repositories is asked who has it.

ALTER TABLE entities ADD COLUMN body_hash TEXT;
