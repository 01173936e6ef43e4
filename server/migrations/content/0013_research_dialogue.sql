-- A run may wait for its user: for the answer to a clarifying question, or for the approval of its plan. Nothing is held meanwhile.
alter table research_runs
  -- The finished run whose pages it starts with. That run may be deleted meanwhile.
  add column follow_up_of text,
  add column options json not null
    default '{"clarify": false, "approvePlan": false, "searchWeb": true, "repositories": [], "context": null}',
  add column needs text check (needs in ('answer', 'approval')),
  add column asked_at timestamptz,
  -- `{questions, answer}`; null without a clarifying question.
  add column clarification json,
  add check ((needs is null) = (asked_at is null));
create index research_runs_waiting on research_runs (asked_at) where needs is not null;
create index research_runs_by_parent on research_runs (follow_up_of, created_at) where follow_up_of is not null;
