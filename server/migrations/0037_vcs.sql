-- Installations of our GitHub app that organisations have claimed. What was found in their code is content and stands elsewhere.
create table vcs_installations (
  id text primary key,
  org_id text not null references orgs,
  -- What GitHub calls it. A reinstallation has another number and is claimed anew.
  external_id bigint not null check (external_id > 0),
  account_id bigint not null,
  account_login text not null check (length(account_login) between 1 and 100),
  account_type text not null check (length(account_type) <= 40),
  status text not null check (status in ('active', 'suspended', 'removed')),
  -- As GitHub last told them.
  permissions jsonb not null default '{}',
  events text[] not null default '{}',
  repository_selection text not null check (repository_selection in ('all', 'selected')),
  blocking_policy text not null default 'errors' check (blocking_policy in ('off', 'errors', 'strict')),
  inline_comments boolean not null default true,
  validation_enabled boolean not null default false,
  claimed_by text not null,
  -- GitHub's own time of its last change that we know of: an old message that comes again changes nothing.
  changed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  check ((status = 'removed') = (removed_at is not null))
);
-- One organisation at a time has it, whoever asks at the same moment.
create unique index vcs_installations_claimed on vcs_installations (external_id) where status <> 'removed';
create index vcs_installations_by_org on vcs_installations (org_id, created_at, id);
create index vcs_installations_by_account on vcs_installations (account_id) where status <> 'removed';
create index vcs_installations_removed on vcs_installations (removed_at) where status = 'removed';
call wall_by_org('vcs_installations');

-- Messages of GitHub that were acted upon, so that one which comes twice is acted upon once. Kept thirty days.
create table vcs_deliveries (
  id text primary key check (length(id) between 1 and 100),
  received_at timestamptz not null
);
create index vcs_deliveries_by_age on vcs_deliveries (received_at);

-- Pull requests as last heard of. `event_at` is GitHub's own time of the change: an old message that comes late changes nothing.
create table vcs_pulls (
  installation_id text not null references vcs_installations on delete cascade,
  repo_id bigint not null,
  number integer not null check (number > 0),
  org_id text not null,
  head_sha text not null check (head_sha ~ '^[0-9a-f]{7,64}$'),
  is_open boolean not null,
  event_at timestamptz not null,
  primary key (installation_id, repo_id, number)
);
create index vcs_pulls_by_org on vcs_pulls (org_id);
create index vcs_pulls_by_age on vcs_pulls (event_at);
call wall_by_org('vcs_pulls');

-- Each head of a pull request is reviewed once, however often and under whatever name we hear of it.
create table vcs_heads (
  installation_id text not null,
  repo_id bigint not null,
  number integer not null,
  head_sha text not null,
  org_id text not null,
  run_id text not null,
  event_at timestamptz not null,
  primary key (installation_id, repo_id, number, head_sha),
  foreign key (installation_id, repo_id, number) references vcs_pulls on delete cascade
);
create index vcs_heads_by_org on vcs_heads (org_id);
call wall_by_org('vcs_heads');
