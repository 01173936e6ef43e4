-- Content tables, in the shared database and in dedicated databases.

create or replace function content_captured() returns trigger language plpgsql as $$
declare
  key text[];
  old_key text[];
  org text := case tg_op when 'DELETE' then old.org_id else new.org_id end;
  key_of text := (select 'select array[' || string_agg(format('($1).%I::text', name), ', ') || ']' from unnest(tg_argv) name);
begin
  -- Platform work changes rows of many organisations. Only those of moving organisations are captured.
  if public.tenant_scope() = 'platform'
     and not exists (select from public.content_places where org_id = org and moving_to is not null and noting) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    execute key_of into key using old;
  else
    execute key_of into key using new;
  end if;
  insert into public.content_changes (org_id, table_name, row_key) values (org, tg_table_name, key);
  -- A changed key is captured under the old key too, because that row no longer exists.
  if tg_op = 'UPDATE' then
    execute key_of into old_key using old;
    if old_key <> key or old.org_id <> org then
      insert into public.content_changes (org_id, table_name, row_key) values (old.org_id, tg_table_name, old_key);
    end if;
  end if;
  return null;
end $$;

-- Captures the changes of a table while its organisation moves, which a transaction signals by `cowrie.capture`. This
-- trigger marks a table as content.
create or replace procedure capture_changes(content regclass) language plpgsql as $$
declare
  key text := (select string_agg(quote_literal(a.attname), ', ' order by array_position(i.indkey::int2[], a.attnum))
               from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
               where i.indrelid = content and i.indisprimary);
begin
  execute format('create trigger content_captured after insert or update or delete on %s for each row
                    when (current_setting(''cowrie.capture'', true) = ''on'') execute function public.content_captured(%s)',
                 content, key);
end $$;

-- Registers a new content table: tenant row-level security and change capture.
create or replace procedure keep_content(content regclass) language plpgsql as $$
begin
  call public.enable_tenant_rls(content);
  call public.capture_changes(content);
end $$;
