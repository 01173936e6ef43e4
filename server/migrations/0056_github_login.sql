-- Sign-in with GitHub.
alter table mfa_challenges
  drop constraint mfa_challenges_first_factor_check,
  add constraint mfa_challenges_first_factor_check check (first_factor in ('password', 'magic_link', 'github'));

-- The permanent id of the person at GitHub, never the address: addresses change hands.
create table github_identities (
  subject text primary key check (length(subject) between 1 and 30),
  user_id text not null unique references users,
  login text not null check (length(login) <= 100),
  linked_at timestamptz not null,
  last_used_at timestamptz not null
);

-- Sign-ins in progress. Each completes once, in the browser that began it.
create table github_flows (
  key_hash bytea primary key check (length(key_hash) = 32),
  browser_hash bytea not null check (length(browser_hash) = 32),
  verifier text not null,
  next text not null,
  currency text not null,
  -- Set to link the identity to this account instead of signing in.
  user_id text references users,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index github_flows_by_expiry on github_flows (expires_at);

-- Identities that wait for the owner of an existing account to confirm by mail.
create table github_confirmations (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id text not null unique references users,
  subject text not null,
  login text not null,
  expires_at timestamptz not null
);
