SELECT u.name, count(*), coalesce(app.score(u.id), 0)
FROM users u
JOIN app.orders AS o ON o.user_id = u.id
CROSS JOIN generate_series(1, 3) AS n
WHERE u.id IN (SELECT user_id FROM banned)
GROUP BY u.name;

SELECT CASE WHEN x > 1 THEN 'a' ELSE 'b' END FROM (SELECT 1 AS x) AS s;
