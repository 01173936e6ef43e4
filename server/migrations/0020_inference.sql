-- What an organisation's policy says about models, and calls that outlive their connection.

-- The lanes it may use, and the region its code has to stay in; null for none. Read with the caller of every request.
alter table orgs
  add column allowed_lanes text[] not null default '{open,frontier}'
    check (allowed_lanes <@ '{open,frontier}' and cardinality(allowed_lanes) > 0),
  add column residency_region text check (residency_region <> '');

-- When the caller of a running call was lost. The next one with the same key waits for the outcome instead of being refused.
alter table idempotency_keys add column detached_at timestamptz;

-- The last day's use of all organisations is summed now and then; rows arrive in the order of time, so this costs nearly nothing.
create index usage_points_by_time on usage_points using brin (at);
