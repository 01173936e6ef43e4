-- Where the content of organisations is. One that has no row here shares the tables of `public`.
create table content_places (
  org_id text primary key references orgs,
  -- Where it is read and written.
  place text not null check (place in ('shared', 'schema', 'dedicated')),
  -- Where it is on its way to.
  moving_to text check (moving_to in ('schema', 'dedicated') and moving_to <> place),
  -- Where a copy is left that nobody reads any more: where it was, or where it was going until it was called back.
  left_in text check (left_in in ('shared', 'schema', 'dedicated') and left_in <> place),
  -- Whether changes are noted while it moves. Where they are not, the copy is still to be begun.
  noting boolean not null default true,
  -- The role that alone may look into the schema; null where we may not create roles.
  role_name text,
  begun_at timestamptz not null,
  -- When somebody last went on with it, whatever came of that.
  tried_at timestamptz,
  settled_at timestamptz,
  check (place <> 'shared' or moving_to is not null or left_in is not null)
);
create index content_places_unsettled on content_places (tried_at nulls first, begun_at) where moving_to is not null or left_in is not null;

-- Every transaction that touches content enters here first, and says where it believes the content to be. While it lasts the
-- content stays there: who moves it waits for all who are inside. One that comes with an old belief is turned away and
-- comes again. From here on the names of content tables mean those of this organisation.
create function content_enter(reach text, believed text) returns void language plpgsql as $$
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

-- Makes the schema of an organisation and the role that alone may look into it, and says that role. Called again, it completes
-- what is missing. Where roles cannot be created it says null: then the service's own role may look.
create function content_schema(org text) returns text language plpgsql as $$
declare
  keeper text := 'cowrie_' || org;
  reader text := keeper;
begin
  execute format('create schema if not exists %I', org);
  begin
    if not exists (select from pg_roles where rolname = keeper) then
      execute format('create role %I nologin nosuperuser nobypassrls', keeper);
    end if;
    -- With the rights of the service it can do the rest of its transaction.
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

create procedure drop_content_schema(org text) language plpgsql as $$
begin
  execute format('drop schema if exists %I cascade', org);
  delete from content_migrations where place = org;
  execute format('drop role if exists %I', 'cowrie_' || org);
exception
  when insufficient_privilege or dependent_objects_still_exist then
    -- Another database of this server knows the role too. It opens nothing here any more.
    execute format('drop schema if exists %I cascade', org);
    delete from content_migrations where place = org;
end $$;

-- The shared tables become what the copies are: they refer to nothing outside content.
alter table agent_runs drop constraint agent_runs_org_id_fkey, drop constraint agent_runs_user_id_fkey;
alter table chat_threads drop constraint chat_threads_org_id_fkey, drop constraint chat_threads_user_id_fkey;
alter table chat_messages drop constraint chat_messages_org_id_fkey;
create index stream_events_by_org on stream_events (org_id);
create index chat_messages_by_org on chat_messages (org_id, created_at, id);
call capture_changes('agent_runs');
call capture_changes('chat_threads');
call capture_changes('chat_messages');
call capture_changes('streams');
call capture_changes('stream_events');

-- The tables of content/0001 stand here since the files that made them.
insert into content_migrations (place, version, name, checksum) values ('public', 1, '0001_content.sql', '');
