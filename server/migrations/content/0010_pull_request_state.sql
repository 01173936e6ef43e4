-- The state of the pull request as GitHub last told it, and the time of that event. Late events change nothing.
alter table task_pull_requests
  add column state text not null default 'open' check (state in ('draft', 'open', 'merged', 'closed')),
  add column state_at timestamptz;
