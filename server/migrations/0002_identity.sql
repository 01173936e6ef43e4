-- Who exists: people, organisations, who belongs where, and what they show at the door.
-- These tables decide a transaction's reach, so they stand in front of the wall and not behind it.
create table users (
  id text primary key,
  -- Lower case and normalised by the application: one address, one account.
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name text,
  verified_at timestamptz,
  mfa_enabled boolean not null default false,
  created_at timestamptz not null
);

create table orgs (
  id text primary key,
  name text not null check (length(name) between 1 and 200),
  type text not null check (type in ('individual', 'team')),
  tier text not null check (tier in ('individual', 'team', 'enterprise')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  suspended_at timestamptz,
  kyc_status text not null default 'unsubmitted' check (kyc_status in ('unsubmitted', 'pending', 'verified', 'rejected')),
  created_at timestamptz not null
);

create table memberships (
  org_id text not null references orgs,
  user_id text not null references users,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null,
  primary key (org_id, user_id)
);
create index memberships_by_user on memberships (user_id, created_at);

create table staff (
  user_id text primary key references users,
  role text not null check (role in ('support', 'billing', 'compliance', 'operator', 'super_admin')),
  created_at timestamptz not null
);

create table sessions (
  id text primary key,
  -- Only the hash: a copy of this table opens nothing.
  token_hash bytea not null check (length(token_hash) = 32),
  user_id text not null references users,
  org_id text not null references orgs,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_user on sessions (user_id, created_at);

create table api_keys (
  id text primary key,
  org_id text not null references orgs,
  user_id text not null references users,
  name text not null,
  prefix text not null,
  hash bytea not null unique check (length(hash) = 32),
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_org on api_keys (org_id, created_at);
