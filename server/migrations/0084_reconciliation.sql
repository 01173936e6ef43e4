-- Reconciliation: the list of a provider, or a bank statement, compared with our payments.

create table reconciliations (
  id text primary key,
  rail text not null,
  account text not null,
  -- The UTC day of the credits that are compared; of a statement its first day.
  day date not null,
  -- `list`: the lists of the provider; `status`: a status query per payment; `statement`: an uploaded bank statement.
  source text not null check (source in ('list', 'status', 'statement')),
  -- Items of the provider from this time on are listed. Credits are compared from `day` on. `until_at` is exclusive.
  from_at timestamptz not null,
  until_at timestamptz not null,
  -- `incomplete`: compared, but the list had gaps that further passes did not close.
  state text not null default 'running' check (state in ('running', 'complete', 'incomplete')),
  step text not null,
  cursor text check (length(cursor) <= 200),
  pass integer not null default 1,
  -- Fencing: a worker advances the version that it has read.
  version bigint not null default 1,
  -- Failures since the last progress.
  failures integer not null default 0,
  failure text check (length(failure) <= 200),
  -- The provider's totals by kind of item.
  totals jsonb not null default '{}',
  counts jsonb not null default '{}',
  started_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'running') = (finished_at is null))
);
create unique index reconciliations_day on reconciliations (rail, account, day) where source <> 'statement';
create index reconciliations_by_day on reconciliations (day desc, id desc);
create index reconciliations_running on reconciliations (id) where state = 'running';

-- The items of a running reconciliation. Deleted when it ends.
create table reconciliation_items (
  reconciliation_id text not null references reconciliations on delete cascade,
  -- The kind and the provider's id.
  item_key text not null check (length(item_key) <= 200),
  kind text not null check (kind in ('payment', 'refund', 'dispute')),
  transaction_id text,
  reference text,
  amount_minor bigint,
  fee_minor bigint,
  currency text,
  status text not null,
  return_key text,
  live boolean not null,
  at timestamptz not null,
  primary key (reconciliation_id, item_key)
);
create index reconciliation_items_transaction on reconciliation_items (reconciliation_id, transaction_id);
create index reconciliation_items_reference on reconciliation_items (reconciliation_id, reference);

create index payments_by_settlement on payments (rail, settled_at, reference) where settled_at is not null;

alter table payment_cases drop constraint payment_cases_kind_check;
alter table payment_cases add constraint payment_cases_kind_check
  check (kind in ('shortfall', 'dispute', 'unclear_return', 'unread_message', 'reconciliation'));
-- Of a reconciliation: the difference, the item of the provider and our payment.
alter table payment_cases add column evidence jsonb;
create index payment_cases_differences on payment_cases (id) where kind = 'reconciliation' and resolved_at is null;
