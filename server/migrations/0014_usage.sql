-- What was used: one point for each thing that was metered, for reading back by person, organisation and time.
create table usage_points (
  id text primary key,
  org_id text not null references orgs,
  -- Null for work that nobody in particular asked for.
  user_id text references users,
  at timestamptz not null,
  lane text not null check (lane in ('open', 'frontier')),
  model text not null,
  source text not null check (source in ('agent', 'chat', 'index', 'research', 'review', 'gateway')),
  tokens bigint not null check (tokens >= 0),
  cost_minor bigint not null check (cost_minor >= 0)
);
create index usage_points_by_org on usage_points (org_id, at);
create index usage_points_by_user on usage_points (org_id, user_id, at);
call wall_by_org('usage_points');
