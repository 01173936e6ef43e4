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

-- Called first by reads of a shard. Unlike `citus_hold_shard`, it neither waits for a move nor delays one.
create or replace function citus_require_shard(shard bigint) returns void
  language plpgsql stable set search_path = public, pg_temp as $$
begin
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

-- The limits of all API keys, or of one, which stays locked until the transaction ends.
create or replace function citus_keys(org text, key text)
  returns table (org_id text, id text, ancestors text[], budget_minor bigint, budget_period text)
  language plpgsql set search_path = public, pg_temp as $$
begin
  if key is null then
    return query select k.org_id, k.id, k.ancestors, k.budget_minor, k.budget_period from api_keys k;
  else
    return query select k.org_id, k.id, k.ancestors, k.budget_minor, k.budget_period from api_keys k
      where k.org_id = org and k.id = key for update;
  end if;
end $$;

-- The cap of a member, which stays locked until the transaction ends.
create or replace function citus_cap(org text, usr text) returns table (minor bigint)
  language plpgsql set search_path = public, pg_temp as $$
begin
  return query select m.seat_cap_minor from memberships m where m.org_id = org and m.user_id = usr for update;
end $$;

-- Forgets a cause that no posting has. Call it under the lock of the wallet.
create or replace function citus_forget_cause(org text, posted text) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  delete from movement_causes where cause = posted and org_id = org;
end $$;

-- Applies operations to one wallet, in a transaction of the coordinator: Citus calls it at the node of the organisation.
create or replace function wallet_apply_org(org text, ops jsonb, at timestamptz, low_defaults jsonb) returns setof wallet_verdict
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  return query execute format('select * from wallet_apply_ops_%s($1, $2, $3)', citus_shard_of(org)) using ops, at, low_defaults;
end $$;

create or replace function wallet_open(org text, code text) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  perform citus_hold_org(org);
  insert into wallets (org_id, currency) values (org, code);
end $$;

create or replace function wallet_change_currency(org text, code text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  perform citus_hold_org(org);
  update wallets set currency = code where org_id = org and seq = 0;
  return found;
end $$;

-- As `wallet_take_crossings`, for one wallet.
create or replace function wallet_take_crossing(org text)
  returns table (org_id text, currency text, balance_minor bigint, threshold_minor bigint)
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  perform citus_hold_org(org);
  perform 1 from wallets c where c.org_id = org and c.low = 'crossed' for update skip locked;
  if found then
    return query update wallets w set low = 'told' where w.org_id = org
      returning w.org_id, w.currency, w.balance_minor, w.low_threshold_minor;
  end if;
end $$;

-- As in `wallet.sql`, with the rights of the caller, who may post to the new wallet in the same transaction: Citus allows one role
-- for each transaction and shard. Citus sends a function that is called from a function only in this form, with constants.
create or replace function wallet_follows_org() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
declare
  changed boolean;
begin
  perform commit_with_wallets();
  if tg_op = 'INSERT' then
    execute format('select * from wallet_open(%L, %L)', new.id, new.currency);
  else
    execute format('select changed from wallet_change_currency(%L, %L) changed', new.id, new.currency) into changed;
    if not changed then
      raise exception 'the currency of a wallet that was used cannot change' using errcode = 'restrict_violation';
    end if;
  end if;
  return null;
end $$;

-- The other functions of one wallet. Beside them, statements of the coordinator would use another connection to the node, with locks of
-- its own, because these functions have the rights of their owner.
do $$
declare
  each text;
begin
  foreach each in array '{"wallet_apply_org(text, jsonb, timestamptz, jsonb)", wallet_balances(text), wallet_lock(text), wallet_low(text),
    "wallet_keep_low(text, text)", "wallet_set_threshold(text, bigint)", "wallet_set_topup_below(text, bigint)",
    wallet_take_topup_due(text), wallet_trial(text), wallet_take_crossing(text), "wallet_open(text, text)", "wallet_change_currency(text, text)"}'::text[]
  loop
    perform create_distributed_function(each::regprocedure, 'org', colocate_with => 'wallets', force_delegation => true);
  end loop;
end $$;
