-- The walls every later table stands behind: a role that owns nothing, and row-level security by organisation.

-- The service works as this role. It owns no table and cannot step around row-level security. A server that
-- does not let us create roles is still walled: the policies below are forced on the owner too.
do $$
begin
  create role cowrie_app nologin nosuperuser nobypassrls;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then raise notice 'cowrie_app cannot be created here; the owner role will be used';
end $$;

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    execute format('grant cowrie_app to %I', current_user);
    grant usage on schema public to cowrie_app;
    alter default privileges in schema public grant select, insert, update, delete on tables to cowrie_app;
    alter default privileges in schema public grant usage on sequences to cowrie_app;
  end if;
exception
  when insufficient_privilege then raise notice 'cowrie_app cannot be granted here; the owner role will be used';
end $$;

-- Whose rows this transaction may touch: an organisation's id, 'platform', or null where nobody said.
create function current_reach() returns text language sql stable parallel safe as
$$ select nullif(current_setting('cowrie.reach', true), '') $$;

-- Puts a table with an org_id column behind the wall. Without a reach it shows no row and takes none.
create procedure wall_by_org(walled regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', walled);
  execute format('alter table %s force row level security', walled);
  execute format('create policy by_org on %s
                    using ((select current_reach()) = ''platform'' or org_id = (select current_reach()))
                    with check ((select current_reach()) = ''platform'' or org_id = (select current_reach()))', walled);
end $$;

-- Makes a table a record: rows are added and read, never changed, whoever asks.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create procedure make_append_only(record regclass) language plpgsql as $$
begin
  execute format('create trigger no_change before update or delete on %s
                    for each row execute function refuse_change()', record);
  execute format('create trigger no_truncate before truncate on %s
                    for each statement execute function refuse_change()', record);
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    execute format('revoke update, delete, truncate on %s from cowrie_app', record);
  end if;
end $$;
