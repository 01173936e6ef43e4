-- Row-level security by organisation, in the shared database and in dedicated databases.

-- The rows that this transaction may touch: an organisation's id, 'platform', or null for none. A security definer function
-- has the scope 'platform': inside it, current_user is the owner. Servers whose owner is not a superuser do not let
-- functions set `cowrie.reach`.
create or replace function tenant_scope() returns text language sql stable parallel safe as $$
  select case when current_user <> coalesce(nullif(current_setting('role'), 'none'), session_user) then 'platform'
              else nullif(current_setting('cowrie.reach', true), '') end
$$;

-- Restricts a table with an org_id column to the tenant scope. Without a scope no row is visible or writable. The alias keeps
-- the text of new policies equal to that of existing ones: altering those would lock every table.
create or replace procedure enable_tenant_rls(walled regclass) language plpgsql as $$
declare
  is_visible text := '(select public.tenant_scope() as current_reach) = ''platform''
                      or org_id = (select public.tenant_scope() as current_reach)';
begin
  execute format('alter table %s enable row level security', walled);
  execute format('alter table %s force row level security', walled);
  execute format('create policy by_org on %s using (%s) with check (%s)', walled, is_visible, is_visible);
end $$;

-- The names of the previous release, which runs beside this one during a rollout.
create or replace function current_reach() returns text language sql stable parallel safe as $$
  select case when current_user <> coalesce(nullif(current_setting('role'), 'none'), session_user) then 'platform'
              else nullif(current_setting('cowrie.reach', true), '') end
$$;

create or replace procedure wall_by_org(walled regclass) language plpgsql as $$
begin
  call public.enable_tenant_rls(walled);
end $$;

-- Makes a table append-only for every role.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace procedure make_append_only(record regclass) language plpgsql as $$
begin
  execute format('create trigger no_change before update or delete on %s
                    for each row execute function refuse_change()', record);
  execute format('create trigger no_truncate before truncate on %s
                    for each statement execute function refuse_change()', record);
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    execute format('revoke update, delete, truncate on %s from cowrie_app', record);
  end if;
end $$;
