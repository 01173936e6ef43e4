-- The low-balance state of wallets. `wallet_apply_ops` moves it with the balance.

-- Sets the low-balance threshold of the customer. Only a later posting can cross it.
create or replace function wallet_set_threshold(org text, threshold_minor bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  update wallets set low_threshold_minor = threshold_minor,
    low = case when balance_minor - trial_minor >= threshold_minor then 'above' else 'told' end
  where org_id = org;
end $$;

-- Takes the crossings whose notification is due. The caller sends it in the same transaction.
create or replace function wallet_take_crossings(most int) returns table (org_id text, currency text, balance_minor bigint, threshold_minor bigint)
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
declare
  each text;
begin
  perform commit_with_wallets();
  -- One wallet at a time, because Citus locks rows of one organisation only.
  for each in select c.org_id from wallets c where c.low = 'crossed' order by c.org_id limit most loop
    perform 1 from wallets c where c.org_id = each and c.low = 'crossed' for update skip locked;
    if found then
      return query update wallets w set low = 'told' where w.org_id = each
        returning w.org_id, w.currency, w.balance_minor, w.low_threshold_minor;
    end if;
  end loop;
end $$;

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
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  update wallets set low = low_before where org_id = org;
end $$;
