-- Keys that a model service refuses. A row stands for one address with one key, known by a keyed digest of both.
-- All replicas read and write it, so that they agree, and so that staff get one mail per incident.
create table upstream_refusals (
  digest text primary key,
  status integer not null check (status between 300 and 499),
  since timestamptz not null,
  alerted_at timestamptz not null,
  -- Null while the key is refused.
  cleared_at timestamptz
);
