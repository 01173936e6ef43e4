create table items (
  price real
);
