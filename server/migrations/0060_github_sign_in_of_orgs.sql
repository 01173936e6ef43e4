-- The owner of an organisation that requires single sign-on may also allow sign-in with GitHub.
alter table orgs add column github_sign_in boolean not null default false;

create or replace view org_profiles with (security_invoker = true) as
  select id, name, type, tier, currency, plan_code, subscription_status, seat_allotment, kyc_status, allowed_lanes,
         residency_region, sso_required, suspended_at, suspended_reason, suspended_by, closed_at, created_at, allowed_models,
         github_sign_in
  from orgs;
