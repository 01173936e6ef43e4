-- Requests of programs to act for a person, who decides on them in a browser. Rows live for minutes.
create table device_logins (
  id text primary key,
  -- Only the hash: a copy of this table collects no key.
  device_hash bytea not null unique check (length(device_hash) = 32),
  -- What the person types. Nobody is let in by it: it says which request a signed-in person decides on.
  user_code text not null unique check (user_code ~ '^[BCDFGHJKLMNPQRSTVWXZ]{8}$'),
  client_name text check (length(client_name) between 1 and 100),
  scopes text[] not null,
  status text not null check (status in ('pending', 'approved', 'denied', 'done')),
  -- Where it came from: shown to the person who decides, and counted by network.
  address text not null,
  network text not null,
  user_agent text not null,
  -- Who decided, and in which organisation they were then.
  user_id text references users,
  org_id text references orgs,
  interval_seconds integer not null check (interval_seconds between 1 and 600),
  polled_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((status = 'pending') = (user_id is null) and (user_id is null) = (org_id is null))
);
create index device_logins_by_network on device_logins (network, expires_at);
create index device_logins_by_expiry on device_logins (expires_at);
create index device_logins_by_user on device_logins (user_id) where status = 'approved';
