-- Single sign-on: one connection per organisation, and the mail domains that lead to it.
-- These tables are read before anybody is known, so like identity's they stand in front of the wall.
create table sso_connections (
  id text primary key,
  org_id text not null unique references orgs,
  type text not null check (type in ('oidc', 'saml')),
  enabled boolean not null,
  -- OpenID Connect: who signs, and who we are to them. The secret is sealed; a public client has none.
  issuer text,
  client_id text,
  client_secret text,
  -- SAML: the provider's name, where it takes requests, and the only keys it is believed with.
  entity_id text,
  sso_url text,
  certificates text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (case type when 'oidc' then issuer is not null and client_id is not null
         else entity_id is not null and sso_url is not null and cardinality(certificates) between 1 and 10 end)
);

create table sso_domains (
  org_id text not null references orgs,
  domain text not null check (domain = lower(domain)),
  token text not null,
  created_at timestamptz not null,
  verified_at timestamptz,
  primary key (org_id, domain)
);
-- Many may claim a domain; one has shown that it is theirs.
create unique index sso_domains_verified on sso_domains (domain) where verified_at is not null;

-- Who somebody is to a provider. An address may be given to another person; a subject never is.
create table sso_identities (
  connection_id text not null references sso_connections on delete cascade,
  issuer text not null,
  subject text not null,
  user_id text not null references users,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (connection_id, issuer, subject),
  -- A second subject with the same address is another person.
  unique (connection_id, issuer, user_id)
);
create index sso_identities_by_user on sso_identities (user_id);

-- Sign-ins on their way to a provider and back: each ends once, in the browser that began it.
create table sso_flows (
  key_hash bytea primary key check (length(key_hash) = 32),
  browser_hash bytea not null check (length(browser_hash) = 32),
  connection_id text not null references sso_connections on delete cascade,
  data jsonb not null,
  next text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sso_flows_by_connection on sso_flows (connection_id);
create index sso_flows_by_expiry on sso_flows (expires_at);
