-- Automatic top-up: the threshold of a wallet, and the wallets below theirs.

-- Sets or removes the threshold. A wallet that is below it now is due at once.
create or replace function wallet_set_topup_below(org text, below_minor bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  update wallets set topup_below_minor = below_minor, topup_due = coalesce(balance_minor < below_minor, false)
  where org_id = org;
end $$;

-- A job looks at the wallet now. Only a later posting makes it due again.
create or replace function wallet_take_topup_due(org text) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  update wallets set topup_due = false where org_id = org and topup_due;
end $$;

create or replace function wallet_topups_due(most int) returns table (org_id text)
  language plpgsql stable security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  return query select w.org_id from wallets w where w.topup_due order by w.org_id limit most;
end $$;
