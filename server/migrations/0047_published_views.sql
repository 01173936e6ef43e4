-- What owners of tables publish for joins. Only the module that owns a table names it; other modules call its functions, and
-- join one of these views where a list or a hot path needs a column. The views are read-only. With `security_invoker` the
-- grants and row-level security of the caller apply, and the planner treats a view as the table itself.
create view org_profiles with (security_invoker = true) as
  select id, name, type, tier, currency, plan_code, subscription_status, seat_allotment, kyc_status, allowed_lanes,
         residency_region, sso_required, suspended_at, suspended_reason, suspended_by, closed_at, created_at
  from orgs;

create view org_members with (security_invoker = true) as
  select org_id, user_id, role, seat_cap_minor, invited_at, created_at from memberships;

-- Nothing that helps to sign in.
create view user_profiles with (security_invoker = true) as
  select id, email, name, verified_at, created_at from users;

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete on org_profiles, org_members, user_profiles from cowrie_app;
  end if;
end $$;
