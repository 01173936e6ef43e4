-- What a client's Idempotency-Key stands for: who holds it now, and its outcome once there is one.
create table idempotency_keys (
  user_id text not null,
  route text not null,
  key text not null check (length(key) between 1 and 255),
  id text not null unique,
  fingerprint text not null,
  state text not null check (state in ('running', 'free', 'done')),
  -- Grows with each take-over; a holder with an older one can no longer store an outcome.
  fence bigint not null,
  status integer,
  content_type text,
  body text,
  claimed_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (user_id, route, key),
  check ((state = 'done') = (status is not null and body is not null and finished_at is not null))
);
create index idempotency_keys_age on idempotency_keys (coalesce(finished_at, claimed_at));
