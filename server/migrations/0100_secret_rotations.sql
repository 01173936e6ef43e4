-- Service secrets that were current, by the start of what they seal, and the last pass that sealed stored data again.
create table secret_rotations (
  key_id text primary key check (length(key_id) = 8),
  begun_at timestamptz not null,
  -- The end of the last complete pass.
  checked_at timestamptz check (checked_at >= begun_at),
  -- Texts sealed again by all passes, and by the last complete one.
  resealed bigint not null default 0 check (resealed >= 0),
  last_resealed bigint not null default 0 check (last_resealed between 0 and resealed),
  -- By name of the data: how many texts no secret opened, and the first of their ids.
  unreadable jsonb not null default '[]'
);
