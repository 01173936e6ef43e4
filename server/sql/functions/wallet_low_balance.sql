-- The low-balance state of wallets. `wallet_apply_ops` moves it with the balance.

-- Sets the low-balance threshold of the customer. Only a later posting can cross it.
create or replace function wallet_set_threshold(org text, threshold_minor bigint) returns void
  language sql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
  update wallets set low_threshold_minor = threshold_minor,
    low = case when balance_minor - trial_minor >= threshold_minor then 'above' else 'told' end
  where org_id = org
$$;

-- Takes the crossings whose notification is due. The caller sends it in the same transaction.
create or replace function wallet_take_crossings(most int) returns table (org_id text, currency text, balance_minor bigint, threshold_minor bigint)
  language sql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
  update wallets w set low = 'told'
  from (select c.org_id from wallets c where c.low = 'crossed' order by c.org_id limit most for update skip locked) taken
  where w.org_id = taken.org_id
  returning w.org_id, w.currency, w.balance_minor, w.low_threshold_minor
$$;

-- The low-balance state of a wallet, locked until the transaction ends.
create or replace function wallet_low(org text) returns text
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
declare
  found_low text;
begin
  select low into found_low from wallets where org_id = org for update;
  return found_low;
end $$;

-- Restores the low-balance state after money has only passed through a wallet.
create or replace function wallet_keep_low(org text, low_before text) returns void
  language sql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
  update wallets set low = low_before where org_id = org
$$;
