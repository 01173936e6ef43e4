-- The usual cost of quoted work, as a share of its first reservation. Computed from the settled holds of all organisations,
-- and only where enough of them are comparable: a row tells nothing about one organisation.
create table usual_costs (
  kind text not null check (kind in ('run', 'loop', 'message')),
  -- The name at the provider.
  model text not null,
  -- The size class of the prompt.
  prompt_size smallint not null check (prompt_size between 0 and 9),
  samples integer not null check (samples >= 20),
  orgs integer not null check (orgs >= 5),
  -- The 50th and the 90th percentile.
  p50_permille integer not null check (p50_permille >= 0),
  p90_permille integer not null check (p90_permille >= p50_permille),
  computed_at timestamptz not null,
  primary key (kind, model, prompt_size)
);

-- Calls of the gateway have no quote and stay out of this index.
create index holds_of_quoted_work on holds (created_at) where source in ('agent', 'chat');
