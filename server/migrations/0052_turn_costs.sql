-- Usual costs of whole turns of tasks.
alter table usual_costs
  drop constraint usual_costs_kind_check,
  add constraint usual_costs_kind_check check (kind in ('run', 'loop', 'message', 'turn'));

-- For the usual costs of one organisation.
create index holds_of_quoted_work_by_org on holds (org_id, created_at) where source in ('agent', 'chat');
