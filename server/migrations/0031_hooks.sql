-- Outbound webhooks: where organisations want to be told, what there was to tell, and how the telling went.
create table hook_endpoints (
  id text primary key,
  org_id text not null references orgs,
  url text not null check (length(url) <= 2000),
  -- Null listens to everything, also to what is added later.
  events text[],
  description text check (length(description) <= 200),
  enabled boolean not null default true,
  -- Why we disabled it; null where its owner did or nobody has.
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  -- Sealed. After a rotation the old secret signs beside the new one until its time is over.
  secret_sealed text not null,
  previous_sealed text,
  previous_until timestamptz,
  -- How many calls in a row have failed, and since when.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  -- How many in a row have failed or were answered slowly, and until when it is therefore left in peace. Once it is, what waits for
  -- it is sent one by one.
  strikes integer not null default 0 check (strikes >= 0),
  quiet_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (not enabled or disabled_reason is null),
  check ((previous_sealed is null) = (previous_until is null)),
  check ((failures = 0) = (failing_since is null)),
  check (strikes >= failures)
);
create index hook_endpoints_by_org on hook_endpoints (org_id, created_at, id);
call wall_by_org('hook_endpoints');

-- Kept thirty days, and their deliveries with them. The body is what is signed, byte for byte, at every attempt.
create table hook_events (
  id text primary key,
  org_id text not null references orgs,
  type text not null,
  body text not null,
  created_at timestamptz not null
);
create index hook_events_by_age on hook_events (created_at);
create index hook_events_by_org on hook_events (org_id);
call wall_by_org('hook_events');

-- No reference to the endpoint: a fact that is being written never waits for, or fails because of, somebody who removes one.
create table hook_deliveries (
  id text primary key,
  org_id text not null references orgs,
  endpoint_id text not null,
  event_id text not null references hook_events on delete cascade,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  last_status integer,
  last_error text check (length(last_error) <= 400),
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  check ((status = 'pending') = (next_attempt_at is not null))
);
create index hook_deliveries_by_endpoint on hook_deliveries (endpoint_id, id desc);
create index hook_deliveries_by_event on hook_deliveries (event_id);
create index hook_deliveries_pending on hook_deliveries (next_attempt_at) where status = 'pending';
create index hook_deliveries_waiting on hook_deliveries (endpoint_id, next_attempt_at, id) where status = 'pending';
call wall_by_org('hook_deliveries');
