-- Payments: what was asked of a rail, what the provider said of it, and what came of that.

create table payments (
  -- Ours, unique for ever, and the rail's idempotency key.
  reference text primary key check (reference ~ '^[a-z0-9]{8,32}$'),
  org_id text not null references orgs,
  user_id text not null,
  -- What it pays for. Later kinds settle through the same function.
  purpose text not null check (purpose in ('topup')),
  channel text not null,
  rail text not null,
  mode text not null check (mode in ('live', 'mock')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  email text not null,
  -- Sealed: a copy of this table names no phone.
  phone_sealed text,
  status text not null default 'pending' check (status in ('pending', 'settled', 'failed', 'expired', 'review')),
  -- One plain sentence about a failure or about what is under review.
  reason text check (length(reason) <= 500),
  -- What the provider calls it, and the transaction that paid.
  provider_ref text check (length(provider_ref) <= 200),
  transaction_id text check (length(transaction_id) <= 200),
  -- What the payer was told to do. Null until the provider has taken it.
  hand_off jsonb,
  captured_minor bigint not null default 0 check (captured_minor >= 0),
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  reversed_at timestamptz,
  -- Set when staff decided what was under review: what the provider says of it later decides nothing more.
  decided_at timestamptz,
  entry_id text,
  -- On the mock rail the payer's decision is made here.
  mock_decision text check (mock_decision in ('approved', 'declined')),
  -- When the sweep asks again, and how often it has; null when it is over for good.
  next_check_at timestamptz,
  checks integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  check (refunded_minor <= captured_minor),
  check ((status = 'settled') = (settled_at is not null)),
  check ((status = 'settled') = (captured_minor > 0)),
  check ((status = 'settled') = (entry_id is not null))
);
create index payments_by_org on payments (org_id, created_at desc, reference desc);
-- How many an organisation has left undecided is counted whenever it begins another.
create index payments_undecided on payments (org_id, created_at) where status = 'pending';
create index payments_due on payments (next_check_at) where next_check_at is not null;
-- What a provider calls a payment is the name of that one alone, for ever.
create unique index payments_provider_ref on payments (rail, mode, provider_ref) where provider_ref is not null;
-- A provider's transaction pays for one of ours, for ever.
create unique index payments_transaction on payments (rail, mode, transaction_id) where transaction_id is not null and status = 'settled';
call wall_by_org('payments');

-- What providers sent us, as it came, with what we made of it. Only the outcome may be written later.
create table payment_events (
  id text primary key,
  rail text not null,
  -- The same for a repetition of the same message.
  event_key text not null check (length(event_key) <= 300),
  kind text not null check (length(kind) <= 200),
  -- Whose payment it is about, once known.
  org_id text,
  reference text,
  -- What the provider calls that payment, where the message names it by that.
  provider_ref text check (length(provider_ref) <= 200),
  source_ip text not null,
  raw bytea not null,
  verdict text check (length(verdict) <= 100),
  received_at timestamptz not null,
  processed_at timestamptz,
  times integer not null default 1,
  unique (rail, event_key),
  check ((verdict is null) = (processed_at is null))
);
create index payment_events_reference on payment_events (reference, received_at) where reference is not null;
create index payment_events_age on payment_events (received_at) where processed_at is not null;
create index payment_events_waiting on payment_events (received_at) where processed_at is null;
call wall_by_org('payment_events');

-- Refunds and adjustments by staff: each is one credit.
create table wallet_refunds (
  id text primary key,
  org_id text not null references orgs,
  source text not null check (source in ('refund', 'adjustment')),
  reference text references payments,
  amount_minor bigint not null check (amount_minor > 0),
  reason text not null check (length(reason) between 1 and 500),
  actor_user_id text not null,
  entry_id text not null unique,
  created_at timestamptz not null,
  check ((source = 'refund') = (reference is not null))
);
create index wallet_refunds_by_payment on wallet_refunds (reference) where reference is not null;
call wall_by_org('wallet_refunds');
call make_append_only('wallet_refunds');
