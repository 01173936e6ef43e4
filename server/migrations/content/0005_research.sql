-- Projects of an organisation: where files of research are kept together, for those who may see them.
create table projects (
  id text primary key,
  org_id text not null,
  name text not null check (length(name) between 1 and 200),
  created_by text not null,
  created_at timestamptz not null
);
create index projects_by_org on projects (org_id, created_at desc, id desc);
call public.keep_content('projects');

-- Who else may see a project, or write to it. Owners and admins of the organisation always may.
create table project_members (
  project_id text not null references projects on delete cascade,
  user_id text not null,
  org_id text not null,
  access text not null check (access in ('viewer', 'editor')),
  added_by text not null,
  added_at timestamptz not null,
  primary key (project_id, user_id)
);
create index project_members_by_user on project_members (org_id, user_id);
call public.keep_content('project_members');

-- Files that were made for an organisation. Their bytes are in the storage; they outlive what they were made by.
create table attachments (
  id text primary key,
  org_id text not null,
  kind text not null check (kind in ('generated')),
  -- Null: everybody in the organisation may see it.
  project_id text,
  -- What made it, for ever, also when that is deleted.
  origin text not null,
  name text not null check (length(name) between 1 and 200),
  content_type text not null,
  bytes bigint not null check (bytes >= 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  storage_key text not null,
  created_by text not null,
  created_at timestamptz not null
);
create index attachments_by_org on attachments (org_id, created_at desc, id desc);
create index attachments_by_project on attachments (project_id, created_at desc, id desc);
call public.keep_content('attachments');

-- Research runs. Kept a year; the files of their reports stay.
create table research_runs (
  id text primary key,
  org_id text not null,
  user_id text not null,
  question text not null,
  depth text not null check (depth in ('quick', 'standard', 'exhaustive')),
  project_id text,
  conversation_id text,
  -- `cancelled` as soon as somebody says so; it is over when `finished_at` is there, after the turn that was under way.
  status text not null check (status in ('running', 'completed', 'cancelled', 'failed')),
  -- Why it stopped, or is about to. Null while there is no reason to.
  stop_reason text check (stop_reason in ('completed', 'budget', 'wall_clock', 'cancelled', 'error')),
  phase text not null check (phase in ('queued', 'plan', 'search', 'read', 'extract', 'gap', 'report', 'done')),
  lane_mode text not null check (lane_mode in ('open', 'synthesis-frontier', 'frontier')),
  -- The settings of the moment it was started: what was promised then holds to its end.
  limits json not null,
  -- What makes the marks around strangers' text this run's own.
  nonce text not null,
  budget_minor bigint not null check (budget_minor >= 0),
  -- Kept aside in the wallet for the report since the start, under this hold.
  aside_minor bigint not null check (aside_minor between 0 and budget_minor),
  aside_hold_id text not null,
  -- As charged, to show; the ledger is the truth.
  spent_minor bigint not null default 0 check (spent_minor between 0 and budget_minor),
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and spent_minor),
  turns integer not null default 0 check (turns >= 0),
  -- What the turns used before rounding, so that all of them together are rounded once.
  used_micro_kobo bigint not null default 0 check (used_micro_kobo >= 0),
  plan json,
  -- How often a step has failed through our fault since one succeeded.
  failures integer not null default 0,
  error_code text,
  -- Names and ids of the files, with what the report is made of; null while there is none.
  report json,
  created_at timestamptz not null,
  started_at timestamptz,
  -- When it must have come to its end.
  deadline_at timestamptz,
  finished_at timestamptz,
  check (finished_at is not null or status in ('running', 'cancelled')),
  check (finished_at is null or (status <> 'running' and stop_reason is not null))
);
create index research_runs_by_org on research_runs (org_id, created_at desc, id desc);
create index research_runs_open on research_runs (org_id, created_at) where finished_at is null;
create index research_runs_by_age on research_runs (created_at);
call public.keep_content('research_runs');

-- Steps of runs, each done once. One with a model in it is dispatched first: a dispatch whose process died is never settled.
create table research_steps (
  run_id text not null references research_runs on delete cascade,
  step text not null,
  org_id text not null,
  dispatches integer not null default 0 check (dispatches >= 0),
  began_at timestamptz not null,
  done_at timestamptz,
  -- What later steps need to know of it.
  outcome json,
  primary key (run_id, step)
);
call public.keep_content('research_steps');

-- What searches brought: each has a number that is never given again, whatever becomes of it.
create table research_sources (
  run_id text not null references research_runs on delete cascade,
  n integer not null check (n > 0),
  org_id text not null,
  pass integer not null check (pass > 0),
  url text not null,
  -- The same for all addresses of the same page.
  canonical text not null,
  title text not null,
  snippet text not null,
  -- The parts of the question that it was found for.
  subs integer[] not null,
  status text not null check (status in ('queued', 'read', 'failed', 'skipped')),
  reason text,
  final_url text,
  content_type text,
  language text,
  published_on text,
  -- Of the text that was read: what quotes are held against.
  sha256 text,
  fingerprint text,
  characters integer,
  is_cut boolean not null default false,
  fetched_at timestamptz,
  primary key (run_id, n),
  check ((status in ('failed', 'skipped')) = (reason is not null)),
  check ((status = 'read') = (sha256 is not null))
);
call public.keep_content('research_sources');

-- The text of what was read. Apart from the sources, because it is long and lists need none of it.
create table research_pages (
  run_id text not null,
  n integer not null,
  org_id text not null,
  text text not null,
  primary key (run_id, n),
  foreign key (run_id, n) references research_sources on delete cascade
);
call public.keep_content('research_pages');

-- What was found: a claim with a quote that stands in the text of each of its sources.
create table research_findings (
  run_id text not null references research_runs on delete cascade,
  -- F1, F2, … in the order they were found.
  ordinal integer not null check (ordinal > 0),
  org_id text not null,
  sub integer not null check (sub >= 0),
  claim text not null,
  quote text not null,
  kind text not null check (kind in ('fact', 'number', 'definition', 'opinion')),
  sources integer[] not null check (cardinality(sources) > 0),
  primary key (run_id, ordinal)
);
call public.keep_content('research_findings');
