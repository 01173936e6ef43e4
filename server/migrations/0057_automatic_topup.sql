-- Automatic top-up: charges a stored card when the balance falls below a threshold.
alter table wallets
  -- The threshold of an active automatic top-up; null without one.
  add column topup_below_minor bigint check (topup_below_minor > 0),
  -- The balance fell below it, and no job has looked at it since.
  add column topup_due boolean not null default false;
create index wallets_topup_due on wallets (org_id) where topup_due;

-- Every writer of a balance marks the wallet, in the transaction of the posting.
create function wallet_topup_falls_due() returns trigger language plpgsql as $$
begin
  new.topup_due := true;
  return new;
end $$;
create trigger falls_due before update of balance_minor on wallets for each row
  when (not new.topup_due and new.balance_minor < new.topup_below_minor)
  execute function wallet_topup_falls_due();

-- One row per organisation that ever turned it on, with at most one open attempt.
create table automatic_topups (
  org_id text primary key references orgs,
  -- The person who turned it on.
  user_id text not null,
  status text not null check (status in ('active', 'paused', 'off')),
  card_id text not null,
  currency text not null,
  threshold_minor bigint not null check (threshold_minor > 0),
  amount_minor bigint not null check (amount_minor >= threshold_minor),
  monthly_max_minor bigint not null check (monthly_max_minor >= amount_minor),
  paused_reason text check (paused_reason in
    ('card_declined', 'bank_confirmation', 'card_unusable', 'payment_disputed', 'currency_changed', 'no_answer')),
  paused_detail text check (length(paused_detail) <= 500),
  paused_at timestamptz,
  -- The monthly maximum is reached until then.
  limited_until timestamptz,
  -- The number of attempts so far: the reference of an attempt is derived from it.
  attempts integer not null default 0 check (attempts >= 0),
  attempt_reference text,
  attempt_amount_minor bigint,
  attempt_card_id text,
  attempt_at timestamptz,
  -- When a job looks at it again, whatever happens in the wallet.
  check_at timestamptz,
  enabled_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status = 'paused') = (paused_reason is not null)),
  check ((paused_reason is null) = (paused_at is null)),
  check (num_nulls(attempt_reference, attempt_amount_minor, attempt_card_id, attempt_at) in (0, 4))
);
create index automatic_topups_due on automatic_topups (check_at) where check_at is not null;
call enable_tenant_rls('automatic_topups');

-- The database allows one undecided charge of this kind per organisation.
create unique index payments_automatic_open on payments (org_id)
  where purpose = 'topup' and card_id is not null and status = 'pending';
create index payments_automatic on payments (org_id, created_at) where purpose = 'topup' and card_id is not null;
