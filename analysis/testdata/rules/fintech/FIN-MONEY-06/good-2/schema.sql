create table rates (
  fee_rate double precision
);
