-- Money actions of staff while a limit is set. Those below it are rows too: their sum of a day counts towards the limit.
create table approvals (
  id text primary key,
  -- The operation, such as `wallet.refund`.
  kind text not null check (length(kind) between 1 and 100),
  org_id text not null references orgs,
  reference text check (length(reference) <= 200),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  -- The same amount in the unit of the limit.
  amount_kobo bigint not null check (amount_kobo >= 0),
  reason text not null check (length(reason) between 1 and 500),
  -- What the operation was called with, without the amount.
  input jsonb not null,
  -- Of the idempotency key: a retry finds its request, and the effect is executed under it.
  operation_id text not null unique,
  requested_by text not null references users,
  requester_email text not null,
  requester_role text not null,
  requester_ip text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  -- `direct`: below the limit, done at once; `void`: the requester lost the role before the approval.
  state text not null check (state in ('direct', 'pending', 'approved', 'rejected', 'void')),
  decided_by text references users,
  decider_email text,
  decided_at timestamptz,
  note text check (length(note) <= 500),
  check ((state in ('direct', 'pending')) = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null)),
  check ((decided_by is null) = (decider_email is null)),
  check (state <> 'approved' or decided_by <> requested_by)
);
create index approvals_by_requester on approvals (requested_by, requested_at) where state = 'direct';
create index approvals_by_time on approvals (requested_at, id) where state <> 'direct';
call enable_tenant_rls('approvals');
