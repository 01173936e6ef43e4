create table wallets (
  balance bigint not null
);
