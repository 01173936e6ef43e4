-- Payments by hand at the M-Pesa paybill: the account number of each organisation, and the receipts that M-Pesa reports.

create table paybill_accounts (
  org_id text primary key references orgs,
  code text not null unique check (code ~ '^CW[0-9A-HJKMNP-TV-Z]{7}$'),
  created_at timestamptz not null
);
call enable_tenant_rls('paybill_accounts');

-- One row per M-Pesa receipt, from its first confirmation. A receipt is used once.
create table paybill_receipts (
  receipt text primary key check (receipt ~ '^[A-Z0-9]{6,20}$'),
  shortcode text not null check (length(shortcode) <= 20),
  -- The account number as the payer typed it.
  account_text text not null check (length(account_text) <= 100),
  -- Null where the amount in the confirmation cannot be read.
  amount_minor bigint check (amount_minor > 0),
  -- The first confirmation.
  event_id text not null,
  -- `received`: to be matched and verified; `prompt`: the receipt of a payment that we started; `recorded`: it has its own
  -- payment; `unassigned`: staff decide.
  state text not null default 'received' check (state in ('received', 'prompt', 'recorded', 'unassigned')),
  -- The open status query: a random part of its result URL, and the id that M-Pesa gave it. Each is used once.
  inquiry_id text unique,
  conversation_id text check (length(conversation_id) <= 100),
  inquiries integer not null default 0,
  -- Why the last status query did not verify the receipt.
  finding text check (length(finding) <= 300),
  verified_at timestamptz,
  next_check_at timestamptz,
  org_id text references orgs,
  reference text references payments,
  received_at timestamptz not null,
  decided_at timestamptz,
  check ((state = 'received') = (decided_at is null)),
  check ((state in ('prompt', 'recorded')) = (reference is not null)),
  check (state = 'received' or (next_check_at is null and inquiry_id is null))
);
create index paybill_receipts_due on paybill_receipts (next_check_at) where next_check_at is not null;
call enable_tenant_rls('paybill_receipts');
