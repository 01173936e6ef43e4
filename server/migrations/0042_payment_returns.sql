-- Providers have accounts in several countries; payers get money back from their provider or their bank; and some pay
-- twice under one reference.

-- The account that took the payment: its country. Null for payments from before there were several.
alter table payments add column account text check (account ~ '^[A-Za-z]{2,40}$');
-- A second transaction under the reference of that payment is a payment too.
alter table payments add column repeat_of text references payments;
-- What the provider gave back in part, and what is disputed and not decided.
alter table payments add column returned_minor bigint not null default 0 check (returned_minor >= 0);
alter table payments add column disputed_minor bigint not null default 0 check (disputed_minor >= 0);
alter table payments add constraint payments_returned_within check (returned_minor <= captured_minor);
alter table cards add column account text check (account ~ '^[A-Za-z]{2,40}$');

-- Two accounts of one provider number their transactions apart.
drop index payments_provider_ref;
create unique index payments_provider_ref on payments (rail, mode, provider_ref, coalesce(account, ''))
  where provider_ref is not null;
drop index payments_transaction;
create unique index payments_transaction on payments (rail, mode, transaction_id, coalesce(account, ''))
  where transaction_id is not null and status = 'settled';

-- Some messages name the provider's transaction and nothing else.
alter table payment_events add column transaction_id text check (length(transaction_id) <= 200);

-- What went back to the payer, or may: one row per refund and dispute.
create table payment_returns (
  reference text not null references payments,
  -- `refund:` or `dispute:` and the provider's number.
  return_key text not null check (return_key ~ '^(refund|dispute):' and length(return_key) <= 200),
  org_id text not null references orgs,
  amount_minor bigint not null check (amount_minor > 0),
  -- `frozen`: disputed and not decided; `kept`: the dispute was won; `taken`: debited as far as the wallet had it;
  -- `reversed`: the whole payment was taken back while it was frozen.
  state text not null check (state in ('frozen', 'kept', 'taken', 'reversed')),
  hold_id text,
  taken_minor bigint not null default 0 check (taken_minor between 0 and amount_minor),
  -- What its credit note says.
  noted_minor bigint not null default 0 check (noted_minor between 0 and amount_minor),
  entry_id text unique,
  opened_at timestamptz not null,
  decided_at timestamptz,
  primary key (reference, return_key),
  check ((state = 'frozen') = (decided_at is null)),
  check ((entry_id is not null) = (taken_minor > 0))
);
call wall_by_org('payment_returns');

-- What staff must look into. Closed with a note, by a person or by what the provider decided.
create table payment_cases (
  id text primary key,
  -- The same fact opens one case.
  case_key text not null unique check (length(case_key) <= 300),
  kind text not null check (kind in ('shortfall', 'dispute', 'unclear_return', 'unread_message')),
  -- Null where the message named no payment of ours.
  org_id text references orgs,
  reference text references payments,
  amount_minor bigint check (amount_minor > 0),
  summary text not null check (length(summary) between 1 and 500),
  opened_at timestamptz not null,
  resolved_at timestamptz,
  -- Null where the provider's decision closed it.
  resolved_by text,
  note text check (length(note) <= 500),
  check ((resolved_at is null) = (note is null))
);
create index payment_cases_open on payment_cases (opened_at desc, id desc) where resolved_at is null;
create index payment_cases_by_time on payment_cases (opened_at desc, id desc);
create index payment_cases_by_payment on payment_cases (reference) where reference is not null;
call wall_by_org('payment_cases');
