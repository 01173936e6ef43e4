-- What our own people decide about an organisation.
alter table orgs
  -- The tier they gave it, which stays whatever plan it buys; null where the plan decides.
  add column policy_tier text check (policy_tier in ('individual', 'team', 'enterprise')),
  -- The tier its plan gives, in force or not; null while no plan was ever bought, which gives what the type comes with.
  add column plan_tier text check (plan_tier in ('individual', 'team', 'enterprise')),
  -- When its policy was last changed; null for one that is as it began.
  add column policy_changed_at timestamptz,
  add column suspended_reason text check (length(suspended_reason) <= 500),
  add column suspended_by text references users,
  -- Closed by its owner: nobody comes in any more, what it wrote is gone, and the evidence of its money stays.
  add column closed_at timestamptz;
create index orgs_by_name on orgs (lower(name), id);
create index orgs_newest on orgs (created_at desc, id desc);
update orgs set plan_tier = tier where plan_code is not null;
