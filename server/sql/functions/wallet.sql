-- The only code that moves money: the role of the service may read the wallet tables but not write them.

-- Where Citus distributes wallets, a change of `citus_commits` makes the coordinator and the node of a wallet commit together. Other
-- databases have no such table.
create or replace function commit_with_wallets() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from pg_class where oid = to_regclass('public.citus_commits') and pg_get_userbyid(relowner) = current_user) then
    execute 'delete from citus_commits where id = 0';
  end if;
end $$;

-- Creates the wallet of every new organisation. Its currency may change until the first posting.
create or replace function wallet_follows_org() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  perform commit_with_wallets();
  if tg_op = 'INSERT' then
    insert into wallets (org_id, currency) values (new.id, new.currency);
  else
    update wallets set currency = new.currency where org_id = new.id and seq = 0;
    if not found then
      raise exception 'the currency of a wallet that was used cannot change' using errcode = 'restrict_violation';
    end if;
  end if;
  return null;
end $$;

-- The hash of a posting over a text that no session setting changes: time is microseconds since 1970.
create or replace function movement_hash(previous bytea, m movements) returns bytea language plpgsql immutable as $$
begin
  return sha256(previous || convert_to(concat_ws('|', 'movement-1', m.org_id, m.seq, m.id, m.kind, m.free_minor, m.held_minor,
    m.included_minor, m.included_held_minor, m.revenue_minor, m.allowance_minor, coalesce(m.account, '-'), m.account_minor,
    m.source, m.ref, m.balance_after_minor, coalesce(m.cause, '-'), coalesce(m.hold_id, '-'),
    (extract(epoch from m.created_at) * 1000000)::bigint), 'UTF8'));
end $$;

-- The first UTC day of the budget period that contains a day. Weeks start on Monday.
create or replace function key_period_start(period text, day date) returns date language sql immutable parallel safe as $$
  select case period when 'total' then '-infinity'::date else date_trunc(period, day::timestamp)::date end
$$;

-- What a member has spent and holds in the month of a day.
create or replace function member_used(org text, usr text, on_day date) returns bigint language plpgsql stable as $$
begin
  return coalesce((select mm.spent_minor + mm.held_minor from member_months mm
    where mm.org_id = org and mm.user_id = usr and mm.month = date_trunc('month', on_day::timestamp)::date), 0);
end $$;

-- What a key has spent and holds since a day.
create or replace function key_used(org text, key text, since date) returns table (spent bigint, held bigint) language plpgsql stable as $$
begin
  return query select coalesce(sum(s.spent_minor), 0)::bigint, coalesce(sum(s.held_minor), 0)::bigint from key_spend s
    where s.org_id = org and s.key_id = key and s.day >= since;
end $$;

-- The smallest rest of the budgets of these keys on a day; null if none has a budget.
create or replace function key_room(org text, keys text[], on_day date) returns bigint language plpgsql as $$
declare
  k record;
  used bigint;
  room bigint;
begin
  for k in select l.id, l.budget_minor, l.budget_period from api_keys l where l.id = any (keys) and l.budget_minor is not null loop
    select coalesce(sum(s.spent_minor + s.held_minor), 0) into used from key_spend s
      where s.org_id = org and s.key_id = k.id and s.day >= key_period_start(k.budget_period, on_day);
    room := least(room, greatest(k.budget_minor - used, 0));
  end loop;
  return room;
end $$;

-- The most that a key may hold on a day, by its budget and those of the keys above it; null without any budget.
create or replace function wallet_key_room(org text, key text, on_day date) returns bigint language plpgsql as $$
begin
  return key_room(org, (select k.id || k.ancestors from api_keys k where k.id = key), on_day);
end $$;

-- Trial credit pays for work before the customer's own money, and for nothing else. Holds of work are on trial credit first; a
-- freeze of a disputed payment is on own money. Takes a locked wallet. Returns the trial credit without holds: debits and freezes
-- leave it, and only its expiry takes it.
create or replace function wallet_trial_free(w wallets) returns bigint language plpgsql stable as $$
begin
  if w.trial_minor = 0 then return 0; end if;
  return greatest(w.trial_minor - (w.held_minor - (select coalesce(sum(h.amount_minor), 0) from holds h
    where h.org_id = w.org_id and h.state = 'open' and h.source = 'topup')), 0);
end $$;

-- Applies operations to wallets, each with its own verdict, in one statement. All wallets are locked first and in id
-- order, so that concurrent calls cannot deadlock. A rejected operation changes nothing and does not affect the others.
-- No two operations of one call may name the same hold or cause. Freezes and debits come alone, because they read stored holds.
--
-- Every statement below finds its rows by index. Generic plans with these settings do not depend on the table sizes at
-- planning time: a sequential scan is cheap on an empty table and expensive on a full one.
create or replace function wallet_apply_ops(ops jsonb, at timestamptz, low_defaults jsonb) returns setof wallet_verdict
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  op record;
  w wallets;
  m movements;
  h wallet_hold;
  v wallet_verdict;
  locked wallets[];
  next_locked int := 1;
  moved wallet_posting[] := '{}';
  begun wallet_hold[] := '{}';
  uncounted wallet_hold[] := '{}';
  keyed wallet_hold[] := '{}';
  ended wallet_hold[] := '{}';
  ends_keyed boolean := false;
  touched wallet_state[] := '{}';
  accrual wallet_accrual;
  accruals wallet_accrual[] := '{}';
  cost numeric;
  named text[];
  k api_keys;
  keys text[];
  rest bigint;
  want bigint;
  part bigint;
  cap bigint;
  room bigint;
  allowance bigint;
  step bigint;
  -- Rows are built in one expression where possible: assigning single fields costs more.
  blank movements;
  this_day date := (at at time zone 'UTC')::date;
  this_month date := date_trunc('month', at at time zone 'UTC')::date;
begin
  blank.free_minor := 0; blank.held_minor := 0; blank.included_minor := 0; blank.included_held_minor := 0;
  blank.revenue_minor := 0; blank.allowance_minor := 0; blank.account_minor := 0; blank.created_at := at;
  if jsonb_array_length(ops) = 1 then
    select * into w from wallets where org_id = ops -> 0 ->> 'org' for update;
  else
    -- A batch waits only briefly for a lock. After a timeout the caller retries each operation alone, without this limit.
    perform set_config('lock_timeout', '1s', true);
    select array_agg(distinct o.org) into named from jsonb_to_recordset(ops) o(org text);
    select array_agg(l) into locked
      from (select * from wallets where org_id = any (named) order by org_id for update) l;
  end if;

  -- Subqueries in the select list always use the index, whatever row count the planner estimates.
  for op in
    select o.n, o.kind, o.org, o.id, o.mid, o.ref, o.cause, o.usr, o.key, o.source, o.amount, o.least, o.account, o.terms, o.usage, o.exact, o.deadline,
      case
        when o.kind = 'reserve' then (select (hold.id, hold.org_id, hold.user_id, hold.ref, hold.source, hold.amount_minor, hold.included_minor, hold.included_grant, hold.terms, hold.usage,
          hold.state, hold.charged_minor, hold.charged_included_minor, hold.month, hold.deadline, hold.created_at, hold.ended_at, hold.key_ids)::wallet_hold
          from holds hold where hold.org_id = o.org and hold.ref = o.ref)
        when o.kind in ('settle', 'release', 'expire', 'extend') then (select (hold.id, hold.org_id, hold.user_id, hold.ref, hold.source, hold.amount_minor, hold.included_minor, hold.included_grant, hold.terms, hold.usage,
          hold.state, hold.charged_minor, hold.charged_included_minor, hold.month, hold.deadline, hold.created_at, hold.ended_at, hold.key_ids)::wallet_hold
          from holds hold where hold.id = o.id)
      end as hold,
      case when o.kind = 'reserve' then
        (select c.seat_cap_minor from memberships c where c.org_id = o.org and c.user_id = o.usr)
      end as cap,
      case when o.kind = 'reserve' and o.key is not null then (select each from api_keys each where each.id = o.key) end as key_row
    from jsonb_to_recordset(ops) o(n int, kind text, org text, id text, mid text, ref text, cause text, usr text, key text, source text,
      amount bigint, least bigint, account text, terms jsonb, usage jsonb, exact numeric, deadline timestamptz)
    order by o.org, o.n
  loop
    if w.org_id is distinct from op.org then
      if w.org_id is not null then
        touched := array_append(touched, (w.org_id, w.balance_minor, w.held_minor, w.included_minor, w.included_held_minor, w.included_grant,
          w.trial_minor, w.seq, w.head, w.low)::wallet_state);
      end if;
      -- Operations and locked wallets have the same order.
      w := locked[next_locked];
      if w.org_id = op.org then next_locked := next_locked + 1; else w := null; end if;
    end if;
    v := null;
    v.n := op.n;
    if w.org_id is null then
      v.verdict := 'no_wallet';
      return next v;
      continue;
    end if;
    h := op.hold;
    -- Checked after the lookup: with the organisation in the condition, the planner might read all of its holds.
    if h.org_id <> op.org then h := null; end if;
    m := blank;

    if op.kind = 'reserve' then
      if h.id is not null then
        v.verdict := case when h.state = 'open' then 'held' else 'ended' end;
      else
        -- A disputed payment is held from the balance that it credited, never from the allowance of the plan.
        allowance := case when op.source = 'topup' then 0 else w.included_minor - w.included_held_minor end;
        room := (w.balance_minor - w.held_minor) + allowance;
        if op.source = 'topup' then room := room - wallet_trial_free(w); end if;
        cap := op.cap;
        if cap is not null then
          select greatest(cap - mm.spent_minor - mm.held_minor, 0) into step from member_months mm
            where mm.org_id = op.org and mm.user_id = op.usr and mm.month = date_trunc('month', at at time zone 'UTC')::date;
          if found then cap := step; end if;
        end if;
        keys := null;
        rest := null;
        if op.key is not null then
          k := op.key_row;
          keys := op.key || coalesce(k.ancestors, '{}');
          if k.budget_minor is not null or cardinality(keys) > 1 then rest := key_room(op.org, keys, this_day); end if;
        end if;
        want := least(op.amount, room, cap, rest);
        if want < coalesce(op.least, op.amount) then
          v.verdict := case
            when rest < coalesce(op.least, op.amount) and rest <= least(room, cap) then 'key_budget'
            when cap < coalesce(op.least, op.amount) and cap <= room then 'cap_reached'
            else 'insufficient' end;
          v.amount_minor := least(room, cap, rest);
        else
          part := least(want, allowance);
          h := (op.id, op.org, op.usr, op.ref, op.source, want, part, w.included_grant, coalesce(op.terms, '{}'), null, 'open',
            0, 0, this_month, op.deadline, at, null, keys)::wallet_hold;
          begun := array_append(begun, h);
          -- A member with a cap is counted immediately, because the next reserve of this batch must see it.
          if cap is not null then
            insert into member_months values (op.org, op.usr, h.month, 0, want)
              on conflict (org_id, user_id, month) do update set held_minor = member_months.held_minor + excluded.held_minor;
          elsif op.usr is not null then
            uncounted := array_append(uncounted, h);
          end if;
          -- Keys under a budget are counted immediately too.
          if rest is not null then
            insert into key_spend select op.org, each, this_day, 0, want from unnest(keys) each
              on conflict (org_id, key_id, day) do update set held_minor = key_spend.held_minor + excluded.held_minor;
          elsif keys is not null then
            keyed := array_append(keyed, h);
          end if;
          m.free_minor := part - want; m.held_minor := want - part;
          m.included_minor := -part; m.included_held_minor := part;
          v.verdict := 'held';
        end if;
      end if;

    elsif op.kind in ('settle', 'release', 'expire') then
      if h.id is null then
        v.verdict := 'no_hold';
      elsif h.state <> 'open' then
        v.verdict := 'ended';
      elsif op.kind = 'expire' and h.deadline > at then
        v.verdict := 'held';
      else
        h.charged_minor := case when op.kind = 'settle' then greatest(least(op.amount, h.amount_minor), 0) else 0 end;
        h.usage := op.usage;
        -- The sum of all accrued costs is rounded up, not each of them. So no charge is higher than its own cost rounded up.
        if op.exact is not null then
          if accrual.org_id is distinct from op.org then
            if accrual.org_id is not null then accruals := array_append(accruals, accrual); end if;
            select a.org_id, a.charged_minor, a.exact_cost into accrual from wallet_accruals a where a.org_id = op.org;
            if accrual.org_id is null then accrual := (op.org, 0, 0)::wallet_accrual; end if;
          end if;
          cost := least(op.exact, h.charged_minor);
          h.usage := coalesce(op.usage, '{}') || jsonb_build_object('exactCost', trim_scale(cost)::text,
            'paidBefore', trim_scale(accrual.charged_minor - accrual.exact_cost)::text);
          h.charged_minor := ceil(accrual.exact_cost + cost) - accrual.charged_minor;
          accrual.exact_cost := accrual.exact_cost + cost;
          accrual.charged_minor := accrual.charged_minor + h.charged_minor;
        end if;
        h.charged_included_minor := least(h.charged_minor, h.included_minor);
        h.state := case op.kind when 'settle' then 'settled' when 'release' then 'released' else 'expired' end;
        h.ended_at := at;
        ended := array_append(ended, h);
        ends_keyed := ends_keyed or h.key_ids is not null;
        m.held_minor := h.included_minor - h.amount_minor;
        m.revenue_minor := h.charged_minor - h.charged_included_minor;
        m.free_minor := -(m.held_minor + m.revenue_minor);
        m.included_held_minor := -h.included_minor;
        m.included_minor := case when h.included_grant = w.included_grant then h.included_minor - h.charged_included_minor else 0 end;
        m.allowance_minor := -(m.included_held_minor + m.included_minor);
        v.verdict := 'ended';
      end if;

    elsif op.kind = 'extend' then
      if h.id is null then
        v.verdict := 'no_hold';
      elsif h.state <> 'open' then
        v.verdict := 'ended';
      else
        update holds set deadline = greatest(holds.deadline, op.deadline) where holds.id = h.id;
        v.verdict := 'held';
      end if;

    elsif exists (select from movements where cause = op.cause) then
      v.verdict := 'moved_before';

    elsif op.kind = 'credit' then
      if op.amount <= 0 or w.balance_minor > 4000000000000000000 - op.amount then
        v.verdict := 'too_much';
      else
        m.free_minor := op.amount; m.account := op.account; m.account_minor := -op.amount;
        v.amount_minor := op.amount;
        v.verdict := 'moved';
      end if;

    elsif op.kind = 'debit' then
      room := wallet_trial_free(w);
      if op.source <> 'trial' then room := w.balance_minor - w.held_minor - room; end if;
      want := least(op.amount, room);
      if want < coalesce(op.least, op.amount) or want <= 0 then
        v.verdict := 'insufficient';
        v.amount_minor := room;
      else
        m.free_minor := -want; m.account := op.account; m.account_minor := want;
        v.amount_minor := want;
        v.verdict := 'moved';
      end if;

    -- A new allowance replaces the rest of the previous one. Holds on the previous one stay valid.
    elsif op.kind = 'grant' then
      if op.amount < 0 or op.amount > 1000000000000000000 then
        v.verdict := 'too_much';
      else
        m.included_minor := op.amount - (w.included_minor - w.included_held_minor);
        m.allowance_minor := -m.included_minor;
        w.included_grant := w.included_grant + 1;
        v.amount_minor := op.amount;
        v.verdict := 'moved';
      end if;
    end if;

    if m.free_minor <> 0 or m.held_minor <> 0 or m.included_minor <> 0 or m.included_held_minor <> 0
      or (op.kind = 'grant' and v.verdict = 'moved') then
      w.trial_minor := w.trial_minor + case
        when m.revenue_minor > 0 then -least(w.trial_minor, m.revenue_minor)
        when op.kind in ('credit', 'debit') and op.source = 'trial' then m.free_minor
        else 0 end;
      w.balance_minor := w.balance_minor + m.free_minor + m.held_minor;
      w.held_minor := w.held_minor + m.held_minor;
      w.included_minor := w.included_minor + m.included_minor + m.included_held_minor;
      w.included_held_minor := w.included_held_minor + m.included_held_minor;
      w.seq := w.seq + 1;
      -- Postings without a hold have their own source, reference and cause.
      m := (w.org_id, w.seq, op.mid, op.kind, m.free_minor, m.held_minor, m.included_minor, m.included_held_minor, m.revenue_minor,
        m.allowance_minor, m.account, m.account_minor, coalesce(h.source, op.source), coalesce(h.ref, op.ref), w.balance_minor,
        op.cause, h.id, at, null)::movements;
      w.head := movement_hash(w.head, m);
      moved := array_append(moved, (m.org_id, m.seq, m.id, m.kind, m.free_minor, m.held_minor, m.included_minor, m.included_held_minor,
        m.revenue_minor, m.allowance_minor, m.account, m.account_minor, m.source, m.ref, m.balance_after_minor, m.cause, m.hold_id,
        m.created_at, w.head)::wallet_posting);
      step := coalesce(w.low_threshold_minor, (low_defaults ->> w.currency)::bigint, 0);
      -- Trial credit does not count: its end is expected.
      w.low := case when w.balance_minor - w.trial_minor >= step then 'above' when w.low = 'above' then 'crossed' else w.low end;
    end if;

    v := (op.n, v.verdict, h.id, h.state, coalesce(h.amount_minor, v.amount_minor), h.included_minor, h.charged_minor,
      h.charged_included_minor, w.balance_minor, w.held_minor, w.included_minor, w.included_held_minor, w.currency, m.id)::wallet_verdict;
    return next v;
  end loop;
  if w.org_id is not null then
    touched := array_append(touched, (w.org_id, w.balance_minor, w.held_minor, w.included_minor, w.included_held_minor, w.included_grant,
      w.trial_minor, w.seq, w.head, w.low)::wallet_state);
  end if;

  if cardinality(moved) > 0 then
    insert into movements (org_id, seq, id, kind, free_minor, held_minor, included_minor, included_held_minor, revenue_minor,
      allowance_minor, account, account_minor, source, ref, balance_after_minor, cause, hold_id, created_at, hash)
      select * from unnest(moved);
    update wallets set balance_minor = u.balance_minor, held_minor = u.held_minor, included_minor = u.included_minor,
      included_held_minor = u.included_held_minor, included_grant = u.included_grant, trial_minor = u.trial_minor, seq = u.seq, head = u.head,
      low = u.low
      from unnest(touched) u where wallets.org_id = u.org_id;
  end if;
  if accrual.org_id is not null then
    accruals := array_append(accruals, accrual);
    insert into wallet_accruals (org_id, charged_minor, exact_cost) select * from unnest(accruals)
      on conflict (org_id) do update set charged_minor = excluded.charged_minor, exact_cost = excluded.exact_cost;
  end if;
  -- A hold of zero has no posting, but still opens and ends.
  if cardinality(begun) > 0 then
    insert into holds (id, org_id, user_id, ref, source, amount_minor, included_minor, included_grant, terms, usage, state, charged_minor,
      charged_included_minor, month, deadline, created_at, ended_at, key_ids)
      select * from unnest(begun);
  end if;
  if cardinality(uncounted) > 0 then
    insert into member_months
      select u.org_id, u.user_id, u.month, 0, sum(u.amount_minor) from unnest(uncounted) u group by u.org_id, u.user_id, u.month
      on conflict (org_id, user_id, month) do update set held_minor = member_months.held_minor + excluded.held_minor;
  end if;
  if cardinality(keyed) > 0 then
    insert into key_spend
      select u.org_id, each, this_day, 0, sum(u.amount_minor) from unnest(keyed) u, unnest(u.key_ids) each group by u.org_id, each
      on conflict (org_id, key_id, day) do update set held_minor = key_spend.held_minor + excluded.held_minor;
  end if;
  if cardinality(ended) > 0 then
    update holds set state = u.state, charged_minor = u.charged_minor, charged_included_minor = u.charged_included_minor,
      usage = u.usage, ended_at = u.ended_at from unnest(ended) u where holds.id = u.id;
    update member_months set held_minor = member_months.held_minor - u.held, spent_minor = member_months.spent_minor + u.spent
      from (select e.org_id, e.user_id, e.month, sum(e.amount_minor)::bigint as held, sum(e.charged_minor)::bigint as spent
            from unnest(ended) e where e.user_id is not null group by e.org_id, e.user_id, e.month) u
      where member_months.org_id = u.org_id and member_months.user_id = u.user_id and member_months.month = u.month;
    -- A hold counts on the day on which it was placed.
    if ends_keyed then
      update key_spend set held_minor = key_spend.held_minor - u.held, spent_minor = key_spend.spent_minor + u.spent
        from (select e.org_id, each as key_id, (e.created_at at time zone 'UTC')::date as day, sum(e.amount_minor)::bigint as held,
                sum(e.charged_minor)::bigint as spent
              from unnest(ended) e, unnest(e.key_ids) each group by 1, 2, 3) u
        where key_spend.org_id = u.org_id and key_spend.key_id = u.key_id and key_spend.day = u.day;
    end if;
    insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor, exact_cost)
      select 'use_' || substr(u.id, 5), u.org_id, u.user_id, at, u.usage ->> 'lane', u.usage ->> 'model', u.source,
        (u.usage ->> 'tokens')::bigint, u.charged_minor, (u.usage ->> 'exactCost')::numeric
      from unnest(ended) u where u.state = 'settled' and u.usage ? 'lane';
  end if;
end $$;

-- The balances of a wallet in one round trip: a single statement cannot set the tenant scope first.
create or replace function wallet_balances(org text) returns table (balance_minor bigint, held_minor bigint, included_minor bigint,
    included_held_minor bigint, currency text)
  language plpgsql stable security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  return query select w.balance_minor, w.held_minor, w.included_minor, w.included_held_minor, w.currency from wallets w where w.org_id = org;
end $$;

-- Locks a wallet until the transaction ends. The role of the service may not lock rows that it may not write.
create or replace function wallet_lock(org text) returns void
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
  perform 1 from wallets where org_id = org for update;
end $$;
