-- Invitations to platform staff: each works once, for one address, until it is replaced, taken back or too old.
create table staff_invites (
  id text primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  role text not null check (role in ('support', 'billing', 'compliance', 'operator', 'super_admin')),
  -- Only the hash: a copy of this table makes nobody an operator.
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by text references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
-- The newest is the only one that waits.
create unique index staff_invites_waiting on staff_invites (email) where used_at is null and revoked_at is null;
