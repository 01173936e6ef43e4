-- Usual costs of whole turns of tasks.
alter table usual_costs
  drop constraint usual_costs_kind_check,
  add constraint usual_costs_kind_check check (kind in ('run', 'loop', 'message', 'turn'));
