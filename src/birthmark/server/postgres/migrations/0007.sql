-- Copies are found by their bodies, under whatever name. What has the same content has the same body, so that the index of
-- contents, twice as large, is not needed. What is in the tables already gets its bodies when it is indexed next.

ALTER TABLE birthmark.entities ADD COLUMN body_hash text COLLATE "C";  -- of a body that is proof enough; null for others
DROP INDEX birthmark.entities_by_content;
CREATE INDEX entities_by_body ON birthmark.entities (body_hash) WHERE body_hash IS NOT NULL;
