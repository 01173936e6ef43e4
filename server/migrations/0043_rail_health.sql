-- Whether providers answer, as far as any replica knows: one row per account.
create table rail_health (
  rail text not null,
  account text not null,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure_reason text check (length(last_failure_reason) <= 200),
  -- Until then the circuit breaker of a replica keeps from asking.
  paused_until timestamptz,
  primary key (rail, account)
);
