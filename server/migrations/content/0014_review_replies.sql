-- A change of whole lines that was applied to the commit and tested; null without one.
alter table review_findings
  add column suggestion json,
  -- The name of the person at the code host, when the verdict came from a reply in the thread.
  add column adjudicated_login text,
  -- The last review that found it; null for findings from before this column.
  add column last_run_id text;

-- The author of the pull request at the code host; empty when unknown.
alter table review_runs add column author text not null default '';
