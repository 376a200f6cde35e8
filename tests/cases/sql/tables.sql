-- Documented.
create table users (
  id int primary key,
  name text not null default 'nobody'
);

CREATE TEMPORARY TABLE app.sessions (token uuid, owner app.kind);

create table copies as select * from users;
