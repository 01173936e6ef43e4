-- Placement of content: the shared schema, a schema of the organisation, or a dedicated database.

-- Every transaction that touches content calls this first, with the placement that it knows. The shared lock keeps the
-- content there until the transaction ends. A replica with a stale placement is rejected and retries after reloading it.
-- From here on the names of content tables refer to those of this organisation.
create or replace function content_enter(reach text, believed text) returns void language plpgsql as $$
declare
  found record;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('content ' || reach, 0));
  if reach = 'platform' then
    if exists (select from content_places where moving_to is not null and noting and place = 'shared') then
      perform set_config('cowrie.capture', 'on', true);
    end if;
    return;
  end if;
  select place, moving_to, noting, role_name into found from content_places where org_id = reach;
  if coalesce(found.place, 'shared') <> believed then
    raise exception 'the content of % is elsewhere', reach using errcode = 'CW001';
  end if;
  if found.moving_to is not null and found.noting then
    perform set_config('cowrie.capture', 'on', true);
  end if;
  if found.place = 'schema' then
    perform set_config('search_path', format('%I, public', reach), true);
    if found.role_name is not null then
      perform set_config('role', found.role_name, true);
    end if;
  end if;
end $$;

-- Creates the schema of an organisation and the only role that may read it, and returns that role. Idempotent. Where
-- roles cannot be created it returns null, and the role of the service gets access.
create or replace function content_schema(org text) returns text language plpgsql as $$
declare
  keeper text := 'cowrie_' || org;
  reader text := keeper;
begin
  execute format('create schema if not exists %I', org);
  begin
    if not exists (select from pg_roles where rolname = keeper) then
      execute format('create role %I nologin nosuperuser nobypassrls', keeper);
    end if;
    -- The role needs the rights of the service for the rest of its transactions.
    execute format('grant cowrie_app to %I', keeper);
    execute format('grant %I to %I', keeper, current_user);
  exception
    when insufficient_privilege or undefined_object then
      keeper := null;
      reader := (select rolname from pg_roles where rolname = 'cowrie_app' and pg_has_role(current_user, oid, 'member'));
  end;
  if reader is not null then
    execute format('grant usage on schema %I to %I', org, reader);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', org, reader);
    execute format('grant usage on all sequences in schema %I to %I', org, reader);
    execute format('alter default privileges in schema %I grant select, insert, update, delete on tables to %I', org, reader);
    execute format('alter default privileges in schema %I grant usage on sequences to %I', org, reader);
  end if;
  return keeper;
end $$;

create or replace procedure drop_content_schema(org text) language plpgsql as $$
begin
  execute format('drop schema if exists %I cascade', org);
  delete from content_migrations where place = org;
  execute format('drop role if exists %I', 'cowrie_' || org);
exception
  when insufficient_privilege or dependent_objects_still_exist then
    -- Another database of this server uses the role too. It has no access left in this database.
    execute format('drop schema if exists %I cascade', org);
    delete from content_migrations where place = org;
end $$;
