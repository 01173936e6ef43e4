-- Plans that organisations subscribe to, the cards they pay with, and the bills that change either.

-- Asked for with every request, so it stands where the caller's own row is read; written with the subscription.
alter table orgs
  add column plan_code text,
  add column subscription_status text check (subscription_status in ('active', 'past_due', 'canceled', 'incomplete'));

-- What a payment is for: a top-up, the checking of a card, or a bill.
alter table payments drop constraint payments_purpose_check;
alter table payments add constraint payments_purpose_check check (purpose in ('topup', 'card', 'bill'));
alter table payments
  -- The bill, where it is for one; the stored card, where one was charged.
  add column bill_id text,
  add column card_id text,
  add constraint payments_bill_check check ((purpose = 'bill') = (bill_id is not null));
create index payments_by_bill on payments (bill_id) where bill_id is not null;
-- On the mock page a payer also chooses how their card behaves later on.
alter table payments drop constraint payments_mock_decision_check;
alter table payments add constraint payments_mock_decision_check
  check (mock_decision in ('approved', 'declined', 'approved_then_declines', 'approved_then_asks'));

create table cards (
  id text primary key,
  org_id text not null references orgs,
  user_id text not null,
  rail text not null,
  mode text not null check (mode in ('live', 'mock')),
  -- Sealed: a copy of this table charges nothing.
  authorization_sealed text not null,
  -- A keyed digest of the provider's name for the physical card: the same card is stored once.
  fingerprint text not null,
  -- The address that the authorization belongs to; another is refused by the provider.
  email text not null,
  brand text not null check (length(brand) <= 40),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null check (exp_month between 1 and 12),
  exp_year integer not null check (exp_year between 2000 and 2200),
  bank text check (length(bank) <= 100),
  country text check (length(country) <= 10),
  is_default boolean not null,
  -- When its owner was told that it expires.
  expiry_told_at timestamptz,
  created_at timestamptz not null,
  removed_at timestamptz,
  check (removed_at is null or not is_default)
);
create unique index cards_default on cards (org_id) where is_default;
create unique index cards_fingerprint on cards (org_id, mode, fingerprint) where removed_at is null;
create index cards_by_org on cards (org_id, created_at) where removed_at is null;
create index cards_expiring on cards (exp_year, exp_month) where removed_at is null and expiry_told_at is null;
call wall_by_org('cards');

create table subscriptions (
  id text primary key,
  org_id text not null references orgs,
  plan_code text not null,
  interval text not null check (interval in ('month', 'year')),
  status text not null check (status in ('active', 'past_due', 'canceled', 'incomplete')),
  -- The prices it was sold at.
  rate_card_version text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  seats integer not null check (seats between 1 and 100000),
  -- The most seats that were paid for this period: within them adding costs nothing more. Fewer than there are where the
  -- last were too little to be charged.
  seats_paid integer not null check (seats_paid between 1 and 100000),
  is_comped boolean not null,
  -- What staff gave back of what was paid for this period: it is not credited a second time.
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  -- Periods and months of allowance are counted from here, so that the end of one month never shifts the next.
  anchor timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  -- When the next month's allowance is due within the period; null when there is none.
  allowance_due_at timestamptz,
  cancel_at_period_end boolean not null default false,
  scheduled_plan_code text,
  scheduled_interval text check (scheduled_interval in ('month', 'year')),
  -- The end of the year whose renewal was announced.
  renewal_told_for timestamptz,
  -- Counts its changes: what was computed about one version is not done to another.
  version integer not null default 1,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((status = 'canceled') = (ended_at is not null)),
  check ((scheduled_plan_code is null) = (scheduled_interval is null))
);
create unique index subscriptions_live on subscriptions (org_id) where status in ('active', 'past_due');
create index subscriptions_by_org on subscriptions (org_id, created_at desc);
create index subscriptions_due on subscriptions (period_end) where status in ('active', 'past_due');
create index subscriptions_years on subscriptions (period_end) where status = 'active' and interval = 'year';
create index subscriptions_allowance_due on subscriptions (allowance_due_at) where status = 'active' and allowance_due_at is not null;
call wall_by_org('subscriptions');

-- What is to be paid for a subscription, once. Several payments may try; one pays it, and what another brings is the
-- customer's in the wallet.
create table bills (
  id text primary key,
  org_id text not null references orgs,
  subscription_id text not null references subscriptions,
  kind text not null check (kind in ('checkout', 'change', 'seats', 'renewal')),
  status text not null check (status in ('open', 'paid', 'abandoned')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- What becomes of the subscription when it is paid, and the version of it that this was computed for.
  effect jsonb not null check (jsonb_typeof(effect) = 'object'),
  base_version integer not null,
  user_id text,
  -- The period that a renewal pays for.
  period_start timestamptz,
  attempts integer not null default 0,
  -- How many of the tries of a renewal were declined on their day: the fourth ends the subscription.
  declines integer not null default 0 check (declines between 0 and 4),
  next_attempt_at timestamptz,
  -- Somebody is charging a card for it right now; a crash there keeps others away until then.
  busy_until timestamptz,
  -- Until then nobody else may change the subscription; after it the next who wants to gives this one up.
  deadline timestamptz,
  reason text check (length(reason) <= 500),
  invoice_id text references invoices,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((kind = 'renewal') = (period_start is not null)),
  check ((status = 'open') = (ended_at is null))
);
-- The lock of a change: one at a time, whatever runs twice or dies.
create unique index bills_one_change on bills (subscription_id) where status = 'open' and kind in ('change', 'seats');
create unique index bills_one_per_period on bills (subscription_id, period_start) where kind = 'renewal';
create index bills_due on bills (next_attempt_at) where status = 'open' and next_attempt_at is not null;
create index bills_checkouts on bills (deadline) where status = 'open' and kind = 'checkout';
create index bills_by_org on bills (org_id, created_at desc);
call wall_by_org('bills');

-- What a change was said to cost: the charge that follows within the hour is this.
create table previews (
  subscription_id text not null references subscriptions,
  org_id text not null references orgs,
  target text not null check (length(target) <= 100),
  version integer not null,
  quote jsonb not null check (jsonb_typeof(quote) = 'object'),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (subscription_id, target)
);
create index previews_expired on previews (expires_at);
call wall_by_org('previews');

-- Plans that are given away.
create table comps (
  org_id text primary key references orgs,
  plan_code text not null,
  until timestamptz,
  reason text not null check (length(reason) between 1 and 500),
  granted_by text not null,
  created_at timestamptz not null
);
call wall_by_org('comps');

create table leads (
  id text primary key,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 320),
  company text check (length(company) <= 200),
  interest text not null check (interest in ('teams', 'enterprise', 'general')),
  message text not null check (length(message) between 1 and 5000),
  address text not null,
  created_at timestamptz not null
);
create index leads_by_time on leads (created_at desc, id desc);

-- Nothing else of this wallet happens until the transaction ends. The service's role may not lock what it may not write.
create function wallet_lock(org text) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  perform 1 from wallets where org_id = org for update;
end $$;

-- Whether a wallet is low, as far as anybody was told; it stays so until the transaction ends.
create function wallet_low(org text) returns text
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
declare
  found_low text;
begin
  select low into found_low from wallets where org_id = org for update;
  return found_low;
end $$;

-- What only passed through a wallet has left it as low as it was.
create function wallet_keep_low(org text, low_before text) returns void
  language sql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
  update wallets set low = low_before where org_id = org
$$;

-- What was granted lately, without reading all that was spent.
create index movements_grants on movements (org_id, seq) where kind = 'grant';
