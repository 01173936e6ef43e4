-- What an organisation writes and is told lives in content tables: they have an org_id, refer to nothing but each other, and
-- can therefore stand in a schema or a database of the organisation's own. This file is the ground they need, wherever that is.

-- Rows that changed while an organisation's content is being moved, so that the copy can follow. Keys only.
create table content_changes (
  seq bigint generated always as identity primary key,
  org_id text not null,
  table_name text not null,
  -- The primary key of the row, as texts in the order of its columns.
  row_key text[] not null
);
create index content_changes_by_org on content_changes (org_id, seq);
call wall_by_org('content_changes');

create function content_captured() returns trigger language plpgsql as $$
declare
  key text[];
  old_key text[];
  org text := case tg_op when 'DELETE' then old.org_id else new.org_id end;
  key_of text := (select 'select array[' || string_agg(format('($1).%I::text', name), ', ') || ']' from unnest(tg_argv) name);
begin
  -- Platform work changes rows of many, of whom few move.
  if public.current_reach() = 'platform'
     and not exists (select from public.content_places where org_id = org and moving_to is not null and noting) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    execute key_of into key using old;
  else
    execute key_of into key using new;
  end if;
  insert into public.content_changes (org_id, table_name, row_key) values (org, tg_table_name, key);
  -- A row that got another key is gone under the one that it had.
  if tg_op = 'UPDATE' then
    execute key_of into old_key using old;
    if old_key <> key or old.org_id <> org then
      insert into public.content_changes (org_id, table_name, row_key) values (old.org_id, tg_table_name, old_key);
    end if;
  end if;
  return null;
end $$;

-- Notes the changes of a table while, and only while, its organisation moves: a transaction says so by `cowrie.capture`.
-- A table with this trigger is content; nothing else makes it so.
create procedure capture_changes(content regclass) language plpgsql as $$
declare
  key text := (select string_agg(quote_literal(a.attname), ', ' order by array_position(i.indkey::int2[], a.attnum))
               from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
               where i.indrelid = content and i.indisprimary);
begin
  execute format('create trigger content_captured after insert or update or delete on %s for each row
                    when (current_setting(''cowrie.capture'', true) = ''on'') execute function public.content_captured(%s)',
                 content, key);
end $$;

-- Makes a new table one of content: behind the wall, and able to move.
create procedure keep_content(content regclass) language plpgsql as $$
begin
  call public.wall_by_org(content);
  call public.capture_changes(content);
end $$;

-- Which files of migrations/content have been applied to which schema of this database.
create table content_migrations (
  place text not null,
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  primary key (place, version)
);

-- Who copies into a place, or clears one, just now. It is asked in each transaction of theirs: one who was given up on and
-- comes back late finds another name here and writes nothing.
create table content_movers (
  place text primary key,
  mover text not null
);
