CREATE INDEX by_name ON users (name);

CREATE UNIQUE INDEX IF NOT EXISTS by_both ON app.users USING btree (lower(name), id DESC) WHERE id > 3;
