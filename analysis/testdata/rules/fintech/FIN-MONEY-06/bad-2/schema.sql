create table wallets (
  id text primary key,
  balance double precision not null
);
