-- Requests counted per bucket and client address, when PostgreSQL is the store that replicas share.

-- Unlogged: every request counts here, and what a crash or a failover loses is at worst one window of one
-- limit. Nothing else may ever be derived from these rows.
create unlogged table rate_windows (
  bucket text not null,
  address text not null,
  -- The limit that the last lease was measured against.
  requests integer not null check (requests > 0),
  -- Tokens leased so far in this window, spent or not.
  used integer not null,
  -- Tokens given by the last lease: how one statement both takes and tells.
  granted integer not null check (granted between 0 and used),
  resets_at timestamptz not null,
  primary key (bucket, address)
) with (fillfactor = 70);

-- For the sweep. A lease inside a window does not touch it, so such updates stay in their page.
create index rate_windows_by_reset on rate_windows (resets_at);
