-- Distributes the money of organisations over the nodes of a database with Citus: wallets with their postings, holds, usage and
-- counts. Runs once, after the migrations. All other tables stay on the coordinator. See docs/scale.md.

-- Functions are sent to the nodes in this transaction too.
set local citus.multi_shard_modify_mode = 'sequential';

-- Unique keys of distributed tables contain the organisation. The id comes first, so that the functions of the shards find rows by it.
alter table wallets drop constraint wallets_org_id_fkey;
alter table holds drop constraint holds_pkey, add primary key (id, org_id);
alter table movements drop constraint movements_id_key, add constraint movements_id_key unique (id, org_id);
drop index movements_cause;
create unique index movements_cause on movements (cause, org_id) where cause is not null;
alter table usage_points drop constraint usage_points_pkey, add primary key (id, org_id);

-- What functions of a wallet read of other tables, beside the wallets. Triggers below keep the copies.
create table member_caps (
  org_id text not null,
  user_id text not null,
  seat_cap_minor bigint not null,
  primary key (org_id, user_id)
);
create table key_limits (
  org_id text not null,
  id text not null,
  ancestors text[],
  budget_minor bigint,
  budget_period text,
  primary key (id, org_id)
);
create table trial_ends (org_id text primary key, expires_at timestamptz not null);
-- A cause is posted once over all wallets. Postings with a cause are made from the coordinator.
create table movement_causes (cause text primary key, org_id text not null);

set local cowrie.reach = 'platform';
insert into member_caps select org_id, user_id, seat_cap_minor from memberships where seat_cap_minor is not null;
insert into key_limits select org_id, id, ancestors, budget_minor, budget_period from api_keys
  where budget_minor is not null or cardinality(ancestors) > 0;
insert into trial_ends select org_id, expires_at from trial_credits;
insert into movement_causes select cause, org_id from movements where cause is not null;

call enable_tenant_rls('member_caps');
call enable_tenant_rls('key_limits');
call enable_tenant_rls('trial_ends');
call enable_tenant_rls('movement_causes');
call citus_simplify_policies();

-- Their triggers concern one row, or refuse.
set local citus.enable_unsafe_triggers = on;
do $$
declare
  divided text[] := '{wallets, movements, holds, member_months, key_spend, wallet_accruals, usage_points, member_caps, key_limits, trial_ends}';
  each text;
  rows_before bigint[] := '{}';
  counted bigint;
begin
  foreach each in array divided loop
    execute format('select count(*) from %I', each) into counted;
    rows_before := array_append(rows_before, counted);
  end loop;
  -- The owner copies the rows of all organisations. PostgreSQL refuses to copy into tables whose policies apply to the owner.
  foreach each in array divided loop
    execute format('alter table %I no force row level security', each);
  end loop;
  foreach each in array divided loop
    if each = 'wallets' then
      perform create_distributed_table('wallets', 'org_id', shard_count => current_setting('cowrie.shards')::int);
    else
      perform create_distributed_table(each::regclass, 'org_id', colocate_with => 'wallets');
    end if;
  end loop;
  -- The rows of before stay on the coordinator, where no statement sees them, until the next transaction removes them.
  for n in 1 .. cardinality(divided) loop
    execute format('select count(*) from %I', divided[n]) into counted;
    if counted <> rows_before[n] then
      raise exception '% had % rows before its division, and has % now', divided[n], rows_before[n], counted;
    end if;
  end loop;
  foreach each in array divided loop
    execute format('alter table %I force row level security', each);
  end loop;
end $$;

-- See `commit_with_wallets`.
create table citus_commits (id int primary key);
select citus_add_local_table_to_metadata('citus_commits');
-- These triggers run with the rights of the caller, who may post to the wallet in the same transaction: Citus allows one role for
-- each transaction and shard.
create function citus_copy_cap() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  perform commit_with_wallets();
  if tg_op = 'DELETE' or new.seat_cap_minor is null then
    delete from member_caps where org_id = old.org_id and user_id = old.user_id;
  else
    insert into member_caps (org_id, user_id, seat_cap_minor) values (new.org_id, new.user_id, new.seat_cap_minor)
      on conflict (org_id, user_id) do update set seat_cap_minor = excluded.seat_cap_minor;
  end if;
  return null;
end $$;
create trigger copies_cap_of_new after insert on memberships for each row
  when (new.seat_cap_minor is not null) execute function citus_copy_cap();
create trigger copies_cap after update of seat_cap_minor on memberships for each row
  when (new.seat_cap_minor is distinct from old.seat_cap_minor) execute function citus_copy_cap();
create trigger forgets_cap after delete on memberships for each row
  when (old.seat_cap_minor is not null) execute function citus_copy_cap();

create function citus_copy_key() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  perform commit_with_wallets();
  insert into key_limits (org_id, id, ancestors, budget_minor, budget_period)
    values (new.org_id, new.id, new.ancestors, new.budget_minor, new.budget_period)
    on conflict (id, org_id) do update set ancestors = excluded.ancestors, budget_minor = excluded.budget_minor,
      budget_period = excluded.budget_period;
  return null;
end $$;
create trigger copies_limits_of_new after insert on api_keys for each row
  when (new.budget_minor is not null or cardinality(new.ancestors) > 0) execute function citus_copy_key();
create trigger copies_limits after update of budget_minor, budget_period, ancestors on api_keys for each row
  when ((new.budget_minor, new.budget_period, new.ancestors) is distinct from (old.budget_minor, old.budget_period, old.ancestors))
  execute function citus_copy_key();

create function citus_copy_trial() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  perform commit_with_wallets();
  insert into trial_ends (org_id, expires_at) values (new.org_id, new.expires_at);
  return null;
end $$;
create trigger copies_end after insert on trial_credits for each row execute function citus_copy_trial();

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    -- The coordinator reads shards with the rights of the service.
    if exists (select from pg_roles where rolname = 'cowrie_app' and not rolcanlogin) then
      alter role cowrie_app login;
    end if;
    -- The service may change the copies as it may change what they are copied from.
    revoke truncate on member_caps, key_limits, trial_ends from cowrie_app;
    revoke insert, update, delete, truncate on movement_causes, citus_commits from cowrie_app;
  end if;
end $$;
