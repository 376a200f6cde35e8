WITH recent AS (
  SELECT id FROM orders WHERE placed > now()
), ranked (id, place) AS (
  SELECT id, row_number() OVER (ORDER BY id) FROM recent
)
SELECT * FROM ranked;

WITH gone AS (DELETE FROM orders RETURNING id) INSERT INTO archive SELECT id FROM gone;
