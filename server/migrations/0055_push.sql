-- Push notifications to browsers.
create table push_subscriptions (
  id text primary key,
  user_id text not null references users,
  -- Ends with its session. Null only for the development bearer.
  session_id text references sessions on delete cascade,
  endpoint text not null check (length(endpoint) <= 1000),
  p256dh text not null check (length(p256dh) <= 87),
  auth_sealed text not null check (length(auth_sealed) <= 200),
  -- Our public key that the browser subscribed with. A message that another key signs would be refused.
  server_key text not null check (length(server_key) <= 87),
  kinds text[] not null check (cardinality(kinds) between 1 and 10),
  language text not null check (language in ('en', 'fr', 'sw', 'ar')),
  created_at timestamptz not null
);
create index push_subscriptions_by_user on push_subscriptions (user_id, created_at, id);
create index push_subscriptions_by_session on push_subscriptions (session_id);
create unique index push_subscriptions_by_endpoint on push_subscriptions (md5(endpoint));

-- Every way to end a session ends its notifications at once.
create function end_push_subscriptions() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
create trigger ends_push after update of revoked_at on sessions for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function end_push_subscriptions();

create table push_messages (
  id text primary key,
  org_id text not null references orgs,
  user_id text not null references users,
  -- Kind, ids and amounts, never content.
  data jsonb not null,
  created_at timestamptz not null
);
create index push_messages_by_age on push_messages (created_at);
create index push_messages_by_org on push_messages (org_id);
call enable_tenant_rls('push_messages');

-- No reference to the subscription: a fact that is being stored never waits for the removal of one.
create table push_deliveries (
  message_id text not null references push_messages on delete cascade,
  subscription_id text not null,
  org_id text not null references orgs,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  primary key (message_id, subscription_id)
);
create index push_deliveries_by_org on push_deliveries (org_id);
call enable_tenant_rls('push_deliveries');

-- Our key outside production, where none is configured. One row.
create table push_keys (
  singleton boolean primary key check (singleton),
  private_sealed text not null,
  created_at timestamptz not null
);
