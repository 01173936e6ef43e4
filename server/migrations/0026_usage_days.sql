-- What was used, summed by day once the day is over, so that a year is read in milliseconds however much it holds.

-- A day stands here once no point of it can arrive any more: then its sums below are what its points come to. Days are
-- sealed in their order; before the first and between any two of them there is nothing that was left out.
create table usage_seals (
  -- In UTC.
  day date primary key,
  points bigint not null check (points >= 0),
  sealed_at timestamptz not null
);

create table usage_days (
  org_id text not null,
  -- Null for work that nobody in particular asked for.
  user_id text,
  day date not null,
  lane text not null,
  source text not null,
  tokens bigint not null check (tokens >= 0),
  cost_minor bigint not null check (cost_minor >= 0),
  points bigint not null check (points > 0)
);
create unique index usage_days_by_user on usage_days (org_id, user_id, day, lane, source) nulls not distinct;
-- For what a whole organisation used: answered from the index alone.
create index usage_days_by_org on usage_days (org_id, day) include (user_id, cost_minor);
-- For counting a day again: rows arrive in the order of days.
create index usage_days_by_day on usage_days using brin (day) with (autosummarize = on);
call wall_by_org('usage_days');

-- Otherwise the newest part of the table, up to a fifth of it, would be read whole for every day.
alter index usage_points_by_time set (autosummarize = on);
