-- What our own people decide about an organisation.
alter table orgs
  -- The tier they gave it, which stays whatever plan it buys; null where the plan decides.
  add column policy_tier text check (policy_tier in ('individual', 'team', 'enterprise')),
  add column suspended_reason text check (length(suspended_reason) <= 500),
  add column suspended_by text references users,
  -- Closed by its owner: nobody comes in any more, what it wrote is gone, and the evidence of its money stays.
  add column closed_at timestamptz;
create index orgs_by_name on orgs (lower(name), id);
create index orgs_newest on orgs (created_at desc, id desc);
