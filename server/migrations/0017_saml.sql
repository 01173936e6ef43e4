-- SAML: which assertions were used, and responses that wait for their browser.

-- An assertion opens one session. It is remembered until it could not be shown again anyway.
create table saml_assertions (
  connection_id text not null references sso_connections on delete cascade,
  assertion_id text not null check (length(assertion_id) <= 256),
  ends_at timestamptz not null,
  primary key (connection_id, assertion_id)
);
create index saml_assertions_by_end on saml_assertions (ends_at);

-- A response arrives with a form of another site, without our cookies. What it said waits here, sealed, until the
-- browser comes for it with them.
create table saml_tickets (
  token_hash bytea primary key check (length(token_hash) = 32),
  sealed text not null check (length(sealed) <= 524288),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_tickets_by_expiry on saml_tickets (expires_at);
