-- Trial credit: a gift for the first task of a verified person. It is part of the balance, with its own source in the ledger and
-- its own account on the other side.
alter table wallets
  -- The part of the balance that is trial credit. Work spends it first; debits and freezes never take it.
  add column trial_minor bigint not null default 0,
  add constraint wallets_trial_minor_check check (trial_minor between 0 and balance_minor);
create index wallets_with_trial on wallets (org_id) where trial_minor > 0;

alter table movements
  drop constraint movements_source_check,
  add constraint movements_source_check check (source in
    ('topup', 'agent', 'chat', 'index', 'research', 'review', 'gateway', 'refund', 'adjustment', 'subscription', 'trial')),
  drop constraint movements_account_check,
  add constraint movements_account_check
    check (account ~ '^(clearing:[a-z_]+|refunds|adjustments|subscriptions|reversals|promotions)$'),
  add constraint movements_trial_check check ((source = 'trial') = (account is not distinct from 'promotions'));
create index movements_of_trial on movements (org_id) where source = 'trial';

-- One row per grant: one per person, per organisation and per mailbox, whatever happens at the same time.
create table trial_credits (
  id text primary key,
  user_id text not null unique references users,
  org_id text not null unique references orgs,
  -- A digest of the address without its tag and without dots that its provider ignores.
  mailbox_hash bytea not null unique check (length(mailbox_hash) = 32),
  network text not null check (length(network) between 1 and 64),
  amount_minor bigint not null check (amount_minor > 0),
  granted_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > granted_at),
  expired_minor bigint not null default 0 check (expired_minor between 0 and amount_minor)
);
create index trial_credits_by_time on trial_credits (granted_at);
create index trial_credits_by_network on trial_credits (network, granted_at);
call enable_tenant_rls('trial_credits');

-- Freezes of disputed payments: the only holds that are not on trial credit.
create index holds_frozen on holds (org_id) where state = 'open' and source = 'topup';
