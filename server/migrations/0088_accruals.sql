-- Charges that accumulate exactly: what an organisation paid for them, and what they cost without rounding. The rest of the last
-- minor unit pays for the next charge. `wallet_apply_ops` writes a row while it holds the lock of the wallet. See decisions/0088.
create table wallet_accruals (
  org_id text primary key,
  charged_minor numeric not null,
  exact_cost numeric not null check (exact_cost >= 0),
  -- The sum is rounded up once, so at least 0 and less than one minor unit is paid in advance.
  check (charged_minor = ceil(exact_cost))
) with (fillfactor = 50);
call enable_tenant_rls('wallet_accruals');

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete, truncate on wallet_accruals from cowrie_app;
  end if;
end $$;

-- A row that `wallet_apply_ops` collects before it writes it.
create type wallet_accrual as (org_id text, charged_minor numeric, exact_cost numeric);

-- Minor units without rounding. Null for a charge that is rounded up by itself.
alter table usage_points add column exact_cost numeric;
alter table request_log add column exact_cost numeric;
