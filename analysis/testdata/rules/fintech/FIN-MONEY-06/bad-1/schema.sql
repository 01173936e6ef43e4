CREATE TABLE wallets (id bigint, balance FLOAT NOT NULL);
