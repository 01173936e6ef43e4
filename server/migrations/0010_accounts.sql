-- What accounts, organisations and sessions need once people sign in for themselves.
alter table users
  add column password_hash text,
  add column password_changed_at timestamptz,
  -- Where they were last: the organisation that the next sign-in opens.
  add column active_org_id text references orgs;

alter table orgs
  add column sso_required boolean not null default false,
  add column group_role_map jsonb,
  -- What the plan allows; a personal organisation has one seat.
  add column seat_allotment integer not null default 1 check (seat_allotment between 1 and 100000),
  -- Who opened it; null for those that were opened before this was kept.
  add column created_by text references users;
create index orgs_by_creator on orgs (created_by);
update orgs set seat_allotment = case tier when 'team' then 5 when 'enterprise' then 20 else 1 end;

alter table memberships
  -- Spend per calendar month; null for no cap.
  add column seat_cap_minor bigint check (seat_cap_minor >= 0);
create index memberships_by_org on memberships (org_id, created_at, user_id);

alter table sessions
  add column method text not null default 'dev'
    check (method in ('password', 'magic_link', 'passkey', 'oidc', 'saml', 'invitation', 'dev')),
  -- The organisation whose identity provider vouched for this session.
  add column sso_org_id text references orgs,
  add column device_hash bytea check (length(device_hash) = 32),
  -- The token before the last rotation still counts for a moment, for calls that were on their way.
  add column previous_token_hash bytea check (length(previous_token_hash) = 32),
  add column previous_until timestamptz;
-- Few of a person's sessions are open, however many they have had; every sign-in looks at those.
create index sessions_open on sessions (user_id) where revoked_at is null;

-- Browsers a person has signed in with, known by a cookie of their own.
create table devices (
  user_id text not null references users,
  hash bytea not null check (length(hash) = 32),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, hash)
);

-- Links that we mail: each works once, for one purpose, until it is replaced by a newer one.
create table links (
  id text primary key,
  kind text not null check (kind in ('verify', 'reset', 'magic', 'invitation')),
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_id text not null references users,
  -- Who asked: by the cookie they had or got, from which network, and whether it was a browser.
  browser_hash bytea check (length(browser_hash) = 32),
  network text,
  by_browser boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index links_by_user on links (user_id, kind);
create index links_by_expiry on links (expires_at);

-- How often something was tried, counted for all replicas together. Names are kept as keyed digests.
create table attempts (
  name text not null,
  subject text not null,
  count integer not null check (count >= 1),
  resets_at timestamptz not null,
  primary key (name, subject)
);
create index attempts_by_end on attempts (resets_at);
