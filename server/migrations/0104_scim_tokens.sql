-- Tokens of directory services (SCIM). One is read before the tenant is known, so the table has no row-level security.
create table scim_tokens (
  id text primary key,
  org_id text not null references orgs,
  name text not null check (length(name) between 1 and 100),
  prefix text not null,
  hash bytea not null unique check (length(hash) = 32),
  created_by text not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index scim_tokens_by_org on scim_tokens (org_id, created_at);
