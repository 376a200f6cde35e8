CREATE TABLE "My App"."User List" ("full name" text, "id" int);

CREATE TABLE `orders` (`order id` int, `total` int);

CREATE FUNCTION "Do It"("a b" int) RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql;
