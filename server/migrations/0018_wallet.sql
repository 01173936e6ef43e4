-- Money. One row per wallet says what is in it. Behind every figure stand movements: the sides of each sum to zero, and
-- each carries a hash over itself and the one before it. The service's own role reads all of this and writes none of
-- it: `wallet_apply` is the only way in.

create table wallets (
  org_id text primary key references orgs,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- What the customer owns, and the part of it that work in progress has reserved.
  balance_minor bigint not null default 0 check (balance_minor >= 0),
  held_minor bigint not null default 0 check (held_minor >= 0),
  -- What the plan still includes, and the part of that which is reserved.
  included_minor bigint not null default 0 check (included_minor >= 0),
  included_held_minor bigint not null default 0 check (included_held_minor >= 0),
  -- Which grant the allowance is of: what is left of an older one does not come back.
  included_grant bigint not null default 0,
  -- Where the chain of movements ends.
  seq bigint not null default 0,
  head bytea not null default '\x' check (length(head) in (0, 32)),
  -- Null follows the platform's setting.
  low_threshold_minor bigint check (low_threshold_minor >= 0),
  -- `crossed` waits for its mail. A wallet that never was above the threshold has crossed nothing.
  low text not null default 'told' check (low in ('above', 'crossed', 'told')),
  check (held_minor <= balance_minor),
  check (included_held_minor <= included_minor)
) with (fillfactor = 50);
create index wallets_crossed on wallets (org_id) where low = 'crossed';
call wall_by_org('wallets');

create table movements (
  org_id text not null,
  seq bigint not null check (seq > 0),
  id text not null unique,
  kind text not null check (kind in ('reserve', 'settle', 'release', 'expire', 'credit', 'debit', 'grant')),
  -- The customer's four places …
  free_minor bigint not null,
  held_minor bigint not null,
  included_minor bigint not null,
  included_held_minor bigint not null,
  -- … what we earned of their money, what their plan has given and taken back, and the one other account it meets.
  revenue_minor bigint not null,
  allowance_minor bigint not null,
  account text check (account ~ '^(clearing:[a-z_]+|refunds|adjustments|subscriptions|reversals)$'),
  account_minor bigint not null,
  -- What the customer reads.
  source text not null check (source in
    ('topup', 'agent', 'chat', 'index', 'research', 'review', 'gateway', 'refund', 'adjustment', 'subscription')),
  -- No bar in what others choose: the hash is over fields between bars.
  ref text not null check (length(ref) between 1 and 200 and position('|' in ref) = 0),
  balance_after_minor bigint not null check (balance_after_minor >= 0),
  -- The same cause never moves money twice, for ever. Holds are their own: they end once.
  cause text check (position('|' in cause) = 0),
  hold_id text,
  created_at timestamptz not null,
  hash bytea not null check (length(hash) = 32),
  primary key (org_id, seq),
  check (free_minor + held_minor + included_minor + included_held_minor + revenue_minor + allowance_minor + account_minor = 0),
  check ((account is null) = (account_minor = 0)),
  check ((cause is null) = (hold_id is not null))
);
create unique index movements_cause on movements (cause) where cause is not null;
create index movements_seen on movements (org_id, seq) where free_minor + held_minor <> 0; -- what a customer sees
call wall_by_org('movements');
call make_append_only('movements');

create table holds (
  id text primary key,
  org_id text not null,
  -- Null for work that nobody in particular asked for.
  user_id text,
  ref text not null check (length(ref) between 1 and 200 and position('|' in ref) = 0),
  source text not null check (source in ('agent', 'chat', 'index', 'research', 'review', 'gateway')),
  amount_minor bigint not null check (amount_minor >= 0),
  included_minor bigint not null check (included_minor between 0 and amount_minor),
  included_grant bigint not null,
  -- What was promised (lane, model, price, rate), and what was used in the end.
  terms jsonb not null check (jsonb_typeof(terms) = 'object'),
  usage jsonb check (jsonb_typeof(usage) = 'object'),
  state text not null check (state in ('open', 'settled', 'released', 'expired')),
  charged_minor bigint not null check (charged_minor between 0 and amount_minor),
  charged_included_minor bigint not null check (charged_included_minor between 0 and charged_minor),
  -- The calendar month, in UTC, whose cap it counts against.
  month date not null,
  deadline timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (org_id, ref),
  check ((state = 'open') = (ended_at is null)),
  check (charged_included_minor <= included_minor)
) with (fillfactor = 80);
create index holds_open on holds (deadline) where state = 'open';
call wall_by_org('holds');

-- What a member has spent and reserved in a month, for caps.
create table member_months (
  org_id text not null,
  user_id text not null,
  month date not null,
  spent_minor bigint not null check (spent_minor >= 0),
  held_minor bigint not null check (held_minor >= 0),
  primary key (org_id, user_id, month)
) with (fillfactor = 50);
call wall_by_org('member_months');

-- Usage is written where the money moves and nowhere else, about organisations and people that the hold has named.
alter table usage_points drop constraint usage_points_org_id_fkey;
alter table usage_points drop constraint usage_points_user_id_fkey;

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete, truncate on wallets, movements, holds, member_months, usage_points from cowrie_app;
  end if;
end $$;

-- Every organisation has a wallet from its first moment. Its currency may change while nothing has moved.
create function wallet_follows_org() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
begin
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
insert into wallets (org_id, currency) select id, currency from orgs;
create trigger has_wallet after insert on orgs for each row execute function wallet_follows_org();
create trigger keeps_currency after update of currency on orgs for each row
  when (new.currency is distinct from old.currency) execute function wallet_follows_org();

-- A text of the movement that no session setting changes: time is microseconds since 1970.
create function movement_hash(previous bytea, m movements) returns bytea language plpgsql immutable as $$
begin
  return sha256(previous || convert_to(concat_ws('|', 'movement-1', m.org_id, m.seq, m.id, m.kind, m.free_minor, m.held_minor,
    m.included_minor, m.included_held_minor, m.revenue_minor, m.allowance_minor, coalesce(m.account, '-'), m.account_minor,
    m.source, m.ref, m.balance_after_minor, coalesce(m.cause, '-'), coalesce(m.hold_id, '-'),
    (extract(epoch from m.created_at) * 1000000)::bigint), 'UTF8'));
end $$;

create type wallet_verdict as (
  n int, verdict text, hold_id text, state text, amount_minor bigint, included_part_minor bigint, charged_minor bigint,
  charged_included_minor bigint, balance_minor bigint, held_minor bigint, included_minor bigint, included_held_minor bigint,
  currency text, movement_id text
);

-- Applies operations to wallets, each with its own verdict, in one statement. All wallets are locked first and in one
-- order, so that two of these wait for each other and never in a circle. A refused operation changes nothing and fails
-- none of its neighbours. No two operations of one call may name the same hold or cause.
--
-- Every statement below finds its few rows by index. It is planned once per connection, and never by what the tables
-- happened to hold at that moment: an empty table read whole is cheap, and a full one is not.
create function wallet_apply(ops jsonb, at timestamptz, low_default bigint) returns setof wallet_verdict
  language plpgsql security definer set search_path = public, pg_temp set cowrie.reach = 'platform'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  op record;
  w wallets;
  m movements;
  h holds;
  v wallet_verdict;
  moved movements[] := '{}';
  begun holds[] := '{}';
  uncounted holds[] := '{}';
  ended holds[] := '{}';
  touched wallets[] := '{}';
  named text[];
  want bigint;
  part bigint;
  cap bigint;
  room bigint;
  step bigint;
  -- Rows are made whole where they can be: a field at a time costs more than all of them at once.
  blank movements;
  this_month date := date_trunc('month', at at time zone 'UTC')::date;
begin
  blank.free_minor := 0; blank.held_minor := 0; blank.included_minor := 0; blank.included_held_minor := 0;
  blank.revenue_minor := 0; blank.allowance_minor := 0; blank.account_minor := 0; blank.created_at := at;
  if jsonb_array_length(ops) = 1 then
    select * into w from wallets where org_id = ops -> 0 ->> 'org' for update;
  else
    -- Many do not wait long for one: who is refused here comes again by itself, and then waits as long as anybody.
    perform set_config('lock_timeout', '1s', true);
    select array_agg(distinct o.org) into named from jsonb_to_recordset(ops) o(org text);
    perform 1 from wallets where org_id = any (named) order by org_id for update;
  end if;

  -- Lookups stand in the list of columns: there they go by index, one by one, however the planner judges the number of rows.
  for op in
    select o.n, o.kind, o.org, o.id, o.mid, o.ref, o.cause, o.usr, o.source, o.amount, o.least, o.account, o.terms, o.usage, o.deadline,
      case
        when o.kind = 'reserve' then (select hold from holds hold where hold.org_id = o.org and hold.ref = o.ref)
        when o.kind in ('settle', 'release', 'expire', 'extend') then (select hold from holds hold where hold.id = o.id)
      end as hold,
      case when o.kind = 'reserve' then
        (select c.seat_cap_minor from memberships c where c.org_id = o.org and c.user_id = o.usr)
      end as cap
    from jsonb_to_recordset(ops) o(n int, kind text, org text, id text, mid text, ref text, cause text, usr text, source text,
      amount bigint, least bigint, account text, terms jsonb, usage jsonb, deadline timestamptz)
    order by o.org, o.n
  loop
    if w.org_id is distinct from op.org then
      if w.org_id is not null then touched := array_append(touched, w); end if;
      select * into w from wallets where org_id = op.org;
    end if;
    v := null;
    v.n := op.n;
    if w.org_id is null then
      v.verdict := 'no_wallet';
      return next v;
      continue;
    end if;
    h := op.hold;
    -- Asked after the lookup: with the organisation in it, the planner may prefer to read all holds that one ever had.
    if h.org_id <> op.org then h := null; end if;
    m := blank;

    if op.kind = 'reserve' then
      if h.id is not null then
        v.verdict := case when h.state = 'open' then 'held' else 'ended' end;
      else
        room := (w.balance_minor - w.held_minor) + (w.included_minor - w.included_held_minor);
        cap := op.cap;
        if cap is not null then
          select greatest(cap - mm.spent_minor - mm.held_minor, 0) into step from member_months mm
            where mm.org_id = op.org and mm.user_id = op.usr and mm.month = date_trunc('month', at at time zone 'UTC')::date;
          if found then cap := step; end if;
        end if;
        want := least(op.amount, room, cap);
        if want < coalesce(op.least, op.amount) then
          v.verdict := case when cap < coalesce(op.least, op.amount) and cap <= room then 'cap_reached' else 'insufficient' end;
          v.amount_minor := least(room, cap);
        else
          part := least(want, w.included_minor - w.included_held_minor);
          h := (op.id, op.org, op.usr, op.ref, op.source, want, part, w.included_grant, coalesce(op.terms, '{}'), null, 'open',
            0, 0, this_month, op.deadline, at, null)::holds;
          begun := array_append(begun, h);
          -- A member with a cap is counted at once: the next reserve of this very batch must see it.
          if cap is not null then
            insert into member_months values (op.org, op.usr, h.month, 0, want)
              on conflict (org_id, user_id, month) do update set held_minor = member_months.held_minor + excluded.held_minor;
          elsif op.usr is not null then
            uncounted := array_append(uncounted, h);
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
        h.charged_included_minor := least(h.charged_minor, h.included_minor);
        h.state := case op.kind when 'settle' then 'settled' when 'release' then 'released' else 'expired' end;
        h.usage := op.usage;
        h.ended_at := at;
        ended := array_append(ended, h);
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
      want := least(op.amount, w.balance_minor - w.held_minor);
      if want < coalesce(op.least, op.amount) or want <= 0 then
        v.verdict := 'insufficient';
        v.amount_minor := w.balance_minor - w.held_minor;
      else
        m.free_minor := -want; m.account := op.account; m.account_minor := want;
        v.amount_minor := want;
        v.verdict := 'moved';
      end if;

    -- A new allowance takes the place of what is left of the one before; what is reserved of that still stands.
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
      w.balance_minor := w.balance_minor + m.free_minor + m.held_minor;
      w.held_minor := w.held_minor + m.held_minor;
      w.included_minor := w.included_minor + m.included_minor + m.included_held_minor;
      w.included_held_minor := w.included_held_minor + m.included_held_minor;
      w.seq := w.seq + 1;
      m.org_id := w.org_id; m.seq := w.seq; m.id := op.mid; m.kind := op.kind; m.balance_after_minor := w.balance_minor;
      if op.kind in ('credit', 'debit', 'grant') then
        m.source := op.source; m.ref := op.ref; m.cause := op.cause;
      else
        m.source := h.source; m.ref := h.ref; m.hold_id := h.id;
      end if;
      m.hash := movement_hash(w.head, m);
      w.head := m.hash;
      moved := array_append(moved, m);
      step := coalesce(w.low_threshold_minor, low_default);
      w.low := case when w.balance_minor >= step then 'above' when w.low = 'above' then 'crossed' else w.low end;
    end if;

    v := (op.n, v.verdict, h.id, h.state, coalesce(h.amount_minor, v.amount_minor), h.included_minor, h.charged_minor,
      h.charged_included_minor, w.balance_minor, w.held_minor, w.included_minor, w.included_held_minor, w.currency, m.id)::wallet_verdict;
    return next v;
  end loop;
  if w.org_id is not null then touched := array_append(touched, w); end if;

  if cardinality(moved) > 0 then
    insert into movements select * from unnest(moved);
    update wallets set balance_minor = u.balance_minor, held_minor = u.held_minor, included_minor = u.included_minor,
      included_held_minor = u.included_held_minor, included_grant = u.included_grant, seq = u.seq, head = u.head, low = u.low
      from unnest(touched) u where wallets.org_id = u.org_id;
  end if;
  -- A hold of nothing moves nothing, and is still begun and ended.
  if cardinality(begun) > 0 then
    insert into holds select * from unnest(begun);
  end if;
  if cardinality(uncounted) > 0 then
    insert into member_months
      select u.org_id, u.user_id, u.month, 0, sum(u.amount_minor) from unnest(uncounted) u group by u.org_id, u.user_id, u.month
      on conflict (org_id, user_id, month) do update set held_minor = member_months.held_minor + excluded.held_minor;
  end if;
  if cardinality(ended) > 0 then
    update holds set state = u.state, charged_minor = u.charged_minor, charged_included_minor = u.charged_included_minor,
      usage = u.usage, ended_at = u.ended_at from unnest(ended) u where holds.id = u.id;
    update member_months set held_minor = member_months.held_minor - u.held, spent_minor = member_months.spent_minor + u.spent
      from (select e.org_id, e.user_id, e.month, sum(e.amount_minor)::bigint as held, sum(e.charged_minor)::bigint as spent
            from unnest(ended) e where e.user_id is not null group by e.org_id, e.user_id, e.month) u
      where member_months.org_id = u.org_id and member_months.user_id = u.user_id and member_months.month = u.month;
    insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
      select 'use_' || substr(u.id, 5), u.org_id, u.user_id, at, u.usage ->> 'lane', u.usage ->> 'model', u.source,
        (u.usage ->> 'tokens')::bigint, u.charged_minor
      from unnest(ended) u where u.state = 'settled' and u.usage ? 'lane';
  end if;
end $$;

-- The threshold is the customer's to set. Setting it is no crossing: only what moves afterwards is.
create function wallet_set_threshold(org text, threshold_minor bigint, low_default bigint) returns void
  language sql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
  update wallets set low_threshold_minor = threshold_minor,
    low = case when balance_minor >= coalesce(threshold_minor, low_default) then 'above' else 'told' end
  where org_id = org
$$;

-- Takes the crossings that wait for their mail; who takes one tells it in the same transaction.
create function wallet_take_crossings(most int) returns table (org_id text, currency text, balance_minor bigint, threshold_minor bigint)
  language sql security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
  update wallets w set low = 'told'
  from (select c.org_id from wallets c where c.low = 'crossed' order by c.org_id limit most for update skip locked) taken
  where w.org_id = taken.org_id
  returning w.org_id, w.currency, w.balance_minor, w.low_threshold_minor
$$;

-- What is in a wallet, in one round trip: a single statement has no reach of its own.
create function wallet_balances(org text) returns table (balance_minor bigint, held_minor bigint, included_minor bigint,
    included_held_minor bigint, currency text)
  language sql stable security definer set search_path = public, pg_temp set cowrie.reach = 'platform' as $$
  select w.balance_minor, w.held_minor, w.included_minor, w.included_held_minor, w.currency from wallets w where w.org_id = org
$$;
