CREATE VIEW plain AS SELECT 1;

-- Documented.
create or replace view app.named (a, b) as select x, y from app.t;

CREATE MATERIALIZED VIEW app.kept AS SELECT * FROM plain;
