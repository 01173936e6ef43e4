-- The addresses from which an organisation may be used: a list of `{"cidr", "label"}`. Null: every address.
alter table orgs add column ip_allow_list jsonb;
-- The last refusal by the list that the audit log has.
alter table orgs add column address_refused_at timestamptz;

create or replace view org_profiles with (security_invoker = true) as
  select id, name, type, tier, currency, plan_code, subscription_status, seat_allotment, kyc_status, allowed_lanes,
         residency_region, sso_required, suspended_at, suspended_reason, suspended_by, closed_at, created_at, allowed_models,
         github_sign_in, ip_allow_list
  from orgs;
