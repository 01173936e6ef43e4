-- Single sign-on: one connection per organisation, and the mail domains that lead to it.
create table sso_connections (
  id text primary key,
  org_id text not null unique references orgs,
  type text not null check (type in ('oidc', 'saml')),
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
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
