-- Monthly partitions of tables that only grow. The role of the service owns no table, so it creates and drops partitions with these
-- functions. They accept only the tables listed here, so no other table loses rows, whatever the caller asks.

-- The tables, and the time for which the rows of a whole month stay in any case.
create or replace function monthly_tables() returns table (name text, minimum interval) language sql immutable as $$
  values ('request_log', interval '1 day')
$$;

-- The partitions of a table with their bounds, oldest first. The first one starts at -infinity.
create or replace function month_partitions(parent text) returns table (name text, starts timestamptz, ends timestamptz)
  language sql stable set search_path = public, pg_temp as $$
  select c.relname::text, coalesce((regexp_match(b.bounds, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity'),
    (regexp_match(b.bounds, 'TO \(''([^'']+)''\)'))[1]::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) b(bounds)
  where i.inhparent = to_regclass('public.' || quote_ident(parent)) and b.bounds <> 'DEFAULT' order by 2
$$;

-- The oldest row of the default partition, which has the rows of months without a partition; null when it is empty.
create or replace function oldest_rest_row(parent text) returns timestamptz
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
declare
  oldest timestamptz;
begin
  if exists (select from monthly_tables() t where t.name = parent) then
    execute format('select min(at) from %I', parent || '_rest') into oldest;
  end if;
  return oldest;
end $$;

-- Creates the missing partitions from the month of `at` to the month that is `ahead` months later, and those of earlier months with
-- rows in the default partition. Returns their names. They get their rows from the default partition. A month whose table exists
-- outside the partitions is omitted: it waits to be dropped, or an operator keeps it. Changes nothing when it waits for a lock for
-- more than two seconds.
create or replace function create_month_partitions(parent text, at timestamptz, ahead int) returns setof text
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' set lock_timeout = '2s' as $$
declare
  rest text := parent || '_rest';
  child text;
  month timestamp;
  first_month timestamp := date_trunc('month', at at time zone 'UTC');
  last_month timestamp := first_month + ahead * interval '1 month';
  is_needed boolean;
  starts_at timestamptz;
  ends_at timestamptz;
begin
  if not exists (select from monthly_tables() t where t.name = parent) or ahead not between 0 and 24 then
    raise exception '% has no monthly partitions', parent using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('partitions of ' || parent, 0));
  month := date_trunc('month', least(at, oldest_rest_row(parent)) at time zone 'UTC');
  -- No more than five years of a wrong clock.
  month := greatest(month, last_month - interval '60 months');
  while month <= last_month loop
    child := parent || '_' || to_char(month, 'YYYY_MM');
    starts_at := month at time zone 'UTC';
    month := month + interval '1 month';
    ends_at := month at time zone 'UTC';
    if exists (select from month_partitions(parent) p where p.starts <= starts_at and p.ends >= ends_at) then continue; end if;
    if to_regclass('public.' || quote_ident(child)) is not null then continue; end if;
    if starts_at < first_month at time zone 'UTC' then
      execute format('select exists (select from %I r where r.at >= %L and r.at < %L)', rest, starts_at, ends_at) into is_needed;
      if not is_needed then continue; end if;
    end if;
    execute format('create table %I (like %I including defaults including constraints)', child, parent);
    execute format('lock table %I in access exclusive mode', rest);
    execute format('with moved as (delete from %I r where r.at >= %L and r.at < %L returning r.*) insert into %I select * from moved',
      rest, starts_at, ends_at, child);
    -- Builds the indexes of the parent.
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, starts_at, ends_at);
    call enable_tenant_rls(child::regclass);
    if exists (select from pg_roles where rolname = 'cowrie_app') then
      execute format('revoke all on %I from cowrie_app', child);
    end if;
    return next child;
  end loop;
end $$;

-- Detaches the oldest partition that ends before the instant, marks it, and returns it; null when there is none. By the time of the
-- database it is older than the minimum of its table, so a wrong clock of a replica drops nothing.
create or replace function detach_month_partition(parent text, before timestamptz) returns table (name text, ends timestamptz)
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' set lock_timeout = '2s' as $$
declare
  old record;
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions of ' || parent, 0));
  select p.name, p.ends into old from month_partitions(parent) p join monthly_tables() t on t.name = parent
    where p.ends <= least(before, now() - t.minimum) order by p.ends limit 1;
  if not found then return; end if;
  execute format('alter table %I detach partition %I', parent, old.name);
  execute format('comment on table %I is ''rows past their retention, to be dropped''', old.name);
  name := old.name;
  ends := old.ends;
  return next;
end $$;

-- The partitions that were detached and not dropped yet.
create or replace function detached_partitions(parent text) returns setof text
  language sql stable set search_path = public, pg_temp as $$
  select c.relname::text from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
    and c.relname ~ ('^' || parent || '_(past|\d{4}_\d{2})$')
    and obj_description(c.oid, 'pg_class') = 'rows past their retention, to be dropped' order by 1
$$;

-- Drops a detached partition. Tables that nobody marked stay.
create or replace function drop_detached_partition(parent text, child text) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' set lock_timeout = '2s' as $$
begin
  if not exists (select from monthly_tables() t where t.name = parent)
    or not exists (select from detached_partitions(parent) d where d = child) then
    raise exception '% is no detached partition of %', child, parent using errcode = 'invalid_parameter_value';
  end if;
  execute format('drop table %I', child);
end $$;
