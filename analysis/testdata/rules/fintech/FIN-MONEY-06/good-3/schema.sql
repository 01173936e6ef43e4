create table places (
  latitude double precision
);
