-- A channel has several provider accounts: their order, every attempt to start a payment, and the fees of the providers.

-- One row per account that was asked to collect a payment, stored before the call.
create table payment_attempts (
  reference text not null references payments on delete cascade,
  org_id text not null references orgs,
  position integer not null check (position between 1 and 100),
  channel text not null,
  currency text not null,
  rail text not null,
  -- `all` for the mock.
  account text not null check (account ~ '^[A-Za-z]{2,40}$'),
  mode text not null check (mode in ('live', 'mock')),
  -- `started`: the call is running, or the process ended during it. `refused`: our account cannot take it. `rejected`: the
  -- payment itself cannot be taken. `unsent`: it never reached the provider. `known`: the provider has the reference already.
  outcome text not null default 'started'
    check (outcome in ('started', 'accepted', 'refused', 'rejected', 'unsent', 'known', 'unknown')),
  provider_ref text check (length(provider_ref) <= 200),
  detail text check (length(detail) <= 500),
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (reference, position),
  unique (reference, rail, account)
);
create index payment_attempts_by_time on payment_attempts (started_at desc) where mode = 'live';
create index payment_attempts_by_channel on payment_attempts (channel, currency, started_at desc) where mode = 'live';
create index payment_attempts_provider_ref on payment_attempts (rail, provider_ref) where provider_ref is not null;
call enable_tenant_rls('payment_attempts');

-- The order of accounts that staff chose for a channel and currency. Lower numbers come first.
create table rail_routes (
  channel text not null,
  currency text not null,
  rail text not null,
  account text not null,
  priority integer not null check (priority between 1 and 100),
  updated_at timestamptz not null,
  primary key (channel, currency, rail, account)
);

-- The provider refused our keys with its last answer.
alter table rail_health add column keys_refused_at timestamptz;

-- The fee of the provider, in the currency of the payment. Null while it is not known.
alter table payments add column fee_minor bigint;
-- Earlier payments have none.
alter table payments add constraint payments_fee_minor_check check (fee_minor >= 0) not valid;
