-- Reviews of pull requests: one for each head. Kept a year.
create table review_runs (
  id text primary key,
  org_id text not null,
  installation_id text not null,
  repo text not null,
  repo_id bigint not null,
  pr integer not null,
  head_sha text not null,
  base_sha text not null,
  title text not null default '',
  -- Where the change comes from decides what may be done with it: nothing of a stranger's or a bot's is ever executed.
  is_fork boolean not null,
  is_bot boolean not null,
  status text not null check (status in ('queued', 'running', 'completed', 'superseded', 'failed', 'skipped')),
  conclusion text check (conclusion in ('success', 'neutral', 'failure')),
  policy text not null default 'errors' check (policy in ('off', 'errors', 'strict')),
  -- What could not be done for want of a permission.
  degraded text[] not null default '{}',
  -- Why it did not end as it should have, in one word.
  reason text,
  published_as text check (published_as in ('inline', 'annotations', 'comment', 'stored')),
  check_run_id bigint,
  files integer not null default 0,
  lines integer not null default 0,
  not_reviewed json not null default '[]',
  notes json not null default '[]',
  counts json not null default '{}',
  -- As charged, to show; the ledger is the truth. `wallet_minor` is the part that no allowance paid.
  cost_minor bigint not null default 0 check (cost_minor >= 0),
  wallet_minor bigint not null default 0 check (wallet_minor between 0 and cost_minor),
  turns integer not null default 0 check (turns >= 0),
  -- What the turns used before rounding, so that all of them together are rounded once.
  used_micro_kobo bigint not null default 0 check (used_micro_kobo >= 0),
  -- What came of running the project's own tests; null where they were not run.
  validation json,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((status in ('queued', 'running')) = (finished_at is null))
);
create index review_runs_by_org on review_runs (org_id, created_at desc, id desc);
create index review_runs_by_pull on review_runs (org_id, repo_id, pr, created_at desc);
create index review_runs_by_installation on review_runs (installation_id);
create index review_runs_by_age on review_runs (created_at);
create index review_runs_open on review_runs (created_at) where status in ('queued', 'running');
call public.keep_content('review_runs');

-- What a review found. A fault that a later head still has is the same finding, and keeps its verdict.
create table review_findings (
  id text primary key,
  org_id text not null,
  run_id text not null references review_runs on delete cascade,
  repo text not null,
  repo_id bigint not null,
  pr integer not null,
  head_sha text not null,
  path text not null,
  line integer not null,
  start_line integer not null,
  end_line integer not null,
  rule_id text not null,
  title text not null,
  cwe integer not null,
  severity text not null check (severity in ('error', 'warn', 'note')),
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  message text not null,
  fix text not null,
  snippet text not null,
  flow json not null default '[]',
  fingerprint text not null,
  -- The same for the same statement in the same words anywhere: what verdicts are remembered by.
  case_key text not null,
  -- What verdicts are bound to: a person's to the lines next to it, a model's to the function that it is in.
  near text not null default '',
  within text not null default '',
  status text not null default 'unadjudicated'
    check (status in ('unadjudicated', 'confirmed', 'refuted', 'unproven')),
  adjudicated_by text check (adjudicated_by in ('person', 'model', 'history')),
  adjudicated_user text,
  note text,
  evidence json,
  published_as text check (published_as in ('inline', 'annotations', 'comment', 'stored')),
  -- Its part of what the review cost the wallet, and what was given back of it.
  share_minor bigint not null default 0 check (share_minor >= 0),
  credited_minor bigint not null default 0 check (credited_minor between 0 and share_minor),
  created_at timestamptz not null,
  adjudicated_at timestamptz,
  check ((status = 'unadjudicated') = (adjudicated_at is null)),
  check ((adjudicated_by is null) = (adjudicated_at is null))
);
create index review_findings_by_org on review_findings (org_id, created_at desc, id desc);
create index review_findings_by_run on review_findings (run_id);
create index review_findings_by_pull on review_findings (org_id, repo_id, pr, fingerprint);
create index review_findings_by_case on review_findings (org_id, rule_id, case_key);
create index review_findings_by_age on review_findings (created_at);
call public.keep_content('review_findings');

-- What an organisation has said of the same statement, so that the same need not be asked again. Never shared.
create table review_corpus (
  org_id text not null,
  rule_id text not null,
  case_key text not null,
  -- Weights: what a person says counts three times what a model does.
  confirmed integer not null default 0 check (confirmed >= 0),
  refuted integer not null default 0 check (refuted >= 0),
  last_seen timestamptz not null,
  primary key (org_id, rule_id, case_key)
);
call public.keep_content('review_corpus');
