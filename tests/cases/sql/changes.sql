INSERT INTO app.users (id, name) VALUES (1, 'a  b');

UPDATE users SET name = upper(name), age = 3 WHERE id = 1;

DELETE FROM app.users WHERE id = 2;

BEGIN;
INSERT INTO log SELECT * FROM users;
COMMIT;
