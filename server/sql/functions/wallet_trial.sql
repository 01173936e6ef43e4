-- Reads trial credit. `wallet_apply_ops` moves it.

-- The trial credit of a wallet, its expiry, and the own money without holds.
create or replace function wallet_trial(org text) returns table (trial_minor bigint, expires_at timestamptz, own_free_minor bigint)
  language plpgsql stable security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
declare
  w wallets;
begin
  select * into w from wallets where wallets.org_id = org;
  if w.org_id is null then return; end if;
  trial_minor := w.trial_minor;
  if w.trial_minor > 0 then
    select t.expires_at into expires_at from trial_credits t where t.org_id = org;
  end if;
  own_free_minor := w.balance_minor - w.held_minor - wallet_trial_free(w);
  return next;
end $$;

-- The trial credit that the postings of an organisation leave, counted one by one. A returned charge is own money, whatever paid
-- for it: our failure must not leave the customer with money that expires.
create or replace function wallet_trial_of_postings(org text) returns bigint language plpgsql stable as $$
declare
  m record;
  rest bigint := 0;
begin
  for m in select free_minor, revenue_minor, source from movements where org_id = org order by seq loop
    rest := rest + case when m.source = 'trial' then m.free_minor else -least(rest, m.revenue_minor) end;
  end loop;
  return rest;
end $$;
