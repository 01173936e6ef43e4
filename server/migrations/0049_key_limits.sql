-- API keys as purses: a budget, allowed models, rates and addresses. See decisions/0055.
alter table api_keys
  add column budget_minor bigint check (budget_minor >= 0),
  add column budget_period text not null default 'total' check (budget_period in ('total', 'day', 'week', 'month')),
  -- Model ids, or patterns that end in *. Null allows every model.
  add column models text[],
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column tokens_per_minute integer check (tokens_per_minute > 0),
  -- IP addresses and CIDRs. Null allows every address.
  add column allowed_addresses text[],
  -- The key that created this one, then the key that created that one, and so on. Their limits apply to this key too.
  add column ancestors text[] not null default '{}',
  -- When the audit log last recorded a call from another address.
  add column address_refused_at timestamptz;

with recursive lineage (id, ancestors, next_id) as (
  select id, array[parent_id], parent_id from api_keys where parent_id is not null
  union all
  select lineage.id, lineage.ancestors || parent.parent_id, parent.parent_id
  from lineage join api_keys parent on parent.id = lineage.next_id where parent.parent_id is not null
)
update api_keys set ancestors = found.ancestors
from (select distinct on (id) id, ancestors from lineage order by id, cardinality(ancestors) desc) found
where found.id = api_keys.id;

-- The models that the policy of an organisation allows, as in api_keys. Null allows every model.
alter table orgs add column allowed_models text[];

create or replace view org_profiles with (security_invoker = true) as
  select id, name, type, tier, currency, plan_code, subscription_status, seat_allotment, kyc_status, allowed_lanes,
         residency_region, sso_required, suspended_at, suspended_reason, suspended_by, closed_at, created_at, allowed_models
  from orgs;

-- The key that placed a hold, then its ancestors. Null for holds without a key.
alter table holds add column key_ids text[];

-- The applied functions build whole rows of `holds`. They are adapted in this transaction, because replicas of earlier
-- releases call them until sql/functions/wallet.sql is applied.
do $$
declare
  applied regprocedure;
  adapted text;
begin
  foreach applied in array '{"wallet_apply_ops(jsonb, timestamptz, jsonb)", "wallet_apply(jsonb, timestamptz, bigint)"}'::regprocedure[] loop
    adapted := replace(pg_get_functiondef(applied), 'op.deadline, at, null)::holds', 'op.deadline, at, null, null)::holds');
    if adapted = pg_get_functiondef(applied) then
      raise exception '% does not build holds as expected', applied;
    end if;
    execute adapted;
  end loop;
end $$;

-- The money that a key and the keys below it have spent and hold, by the UTC day on which the hold was placed. Sums of
-- days give any budget period, so changing the period loses no count.
create table key_spend (
  org_id text not null,
  key_id text not null,
  day date not null,
  spent_minor bigint not null check (spent_minor >= 0),
  held_minor bigint not null check (held_minor >= 0),
  primary key (org_id, key_id, day)
) with (fillfactor = 50);
call enable_tenant_rls('key_spend');

-- For the lists of keys, which belong to another module.
create view key_spend_days with (security_invoker = true) as
  select org_id, key_id, day, spent_minor, held_minor from key_spend;

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete, truncate on key_spend from cowrie_app;
    revoke insert, update, delete on key_spend_days from cowrie_app;
  end if;
end $$;
