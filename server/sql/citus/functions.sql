-- The functions of a database with Citus that apply operations to wallets. Each shard has its own copy of `wallet_apply_ops`, which
-- names the tables of the shard and holds the shard in its place: statements on distributed tables would pass the planner of Citus,
-- at many times the cost.

-- Citus creates the types that the signature of a function names on all nodes. The functions of the shards use them inside.
create or replace function citus_types(wallet_posting, wallet_hold, wallet_state, wallet_accrual) returns void
  language sql as 'select';

-- Called first by the function of a shard. A shard that is not here, or is being moved, is refused with CW003 before any effect.
create or replace function citus_hold_shard(shard bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '3s' as $$
begin
  -- A move of the shard waits for this transaction, or this transaction for the move.
  perform lock_shard_metadata(5, array[shard]);
  if not exists (select from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid where p.shardid = shard) then
    raise exception 'the shard % is on another node', shard using errcode = 'CW003';
  end if;
end $$;

create or replace function citus_shard_of(org text) returns bigint language plpgsql stable set search_path = public, pg_temp as $$
begin
  return (select s.shardid from pg_dist_shard s where s.logicalrelid = 'wallets'::regclass
          and worker_hash(org) between s.shardminvalue::int and s.shardmaxvalue::int);
end $$;

-- Called first by the functions that lock or change one wallet: its row must not move while the transaction relies on the lock.
create or replace function citus_hold_org(org text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform citus_hold_shard(citus_shard_of(org));
end $$;

-- Prepares a posting from the coordinator. Whether its cause was posted in another wallet.
create or replace function citus_begin_posting(org text, posted text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  perform commit_with_wallets();
  return exists (select from movement_causes c where c.cause = posted and c.org_id <> org);
end $$;

create or replace function citus_end_posting(org text, posted text) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  insert into movement_causes (cause, org_id) values (posted, org);
end $$;

-- Applies operations to one wallet, in a transaction of the coordinator: Citus calls it at the node of the organisation.
create or replace function wallet_apply_org(org text, ops jsonb, at timestamptz, low_defaults jsonb) returns setof wallet_verdict
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  return query execute format('select * from wallet_apply_ops_%s($1, $2, $3)', citus_shard_of(org)) using ops, at, low_defaults;
end $$;

-- The other functions of one wallet. Beside them, statements of the coordinator would use another connection to the node, with locks of
-- its own, because these functions have the rights of their owner.
do $$
declare
  each text;
begin
  foreach each in array '{"wallet_apply_org(text, jsonb, timestamptz, jsonb)", wallet_balances(text), wallet_lock(text), wallet_low(text),
    "wallet_keep_low(text, text)", "wallet_set_threshold(text, bigint)", "wallet_set_topup_below(text, bigint)",
    wallet_take_topup_due(text), wallet_trial(text)}'::text[]
  loop
    perform create_distributed_function(each::regprocedure, 'org', colocate_with => 'wallets', force_delegation => true);
  end loop;
end $$;
