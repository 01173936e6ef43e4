// A debit in pgbench: a reserve and a settlement, each with one statement and one commit.
import type { Script } from './pgbench.ts'

const AT = "'2026-11-15T12:00:00Z'::timestamptz"
/** In the far future, because the running service expires holds after their deadline. */
const DEADLINE = '2099-01-01T00:00:00Z'

/** Calls the service's SQL function with one operation per call: the rate without batching. */
export const byFunction = (wallets: number): Script => ({
  name: 'our function, one by one',
  text: `\\set w random(1, ${wallets})
\\set a random(1, 9000000000000000000)
\\set b random(1, 9000000000000000000)
select verdict from wallet_apply_ops(jsonb_build_array(jsonb_build_object('n', 0, 'kind', 'reserve', 'org', 'org_bench' || :w,
  'mid', 'led_a' || :a, 'id', 'hld_' || :a || :b, 'ref', 'bench ' || :a || :b, 'usr', 'usr_bench' || :w, 'source', 'agent', 'amount', 100, 'least', 100,
  'terms', '{"lane": "open"}'::jsonb, 'deadline', '${DEADLINE}')), ${AT}, '{"NGN": 0}');
select verdict from wallet_apply_ops(jsonb_build_array(jsonb_build_object('n', 0, 'kind', 'settle', 'org', 'org_bench' || :w,
  'mid', 'led_b' || :a, 'id', 'hld_' || :a || :b, 'amount', 60)), ${AT}, '{"NGN": 0}');
`,
})

/** Writes the same rows with one hand-written statement: the least possible overhead. */
export const byHand = (wallets: number): Script => ({
  name: 'one statement by hand',
  text: `\\set w random(1, ${wallets})
\\set a random(1, 9000000000000000000)
\\set b random(1, 9000000000000000000)
with w as (
  update wallets set held_minor = held_minor + 100, seq = seq + 1,
    head = sha256(head || convert_to('org_bench' || :w || '|' || seq || '|reserve|100|' || balance_minor, 'UTF8'))
  where org_id = 'org_bench' || :w and balance_minor - held_minor >= 100
  returning org_id, seq, balance_minor, head),
c as (insert into member_months (org_id, user_id, month, spent_minor, held_minor) select org_id, 'usr_bench' || :w, '2026-11-01', 0, 100 from w
  on conflict (org_id, user_id, month) do update set held_minor = member_months.held_minor + 100),
h as (insert into holds (id, org_id, user_id, ref, source, amount_minor, included_minor, included_grant, terms, state, charged_minor, charged_included_minor, month, deadline, created_at)
  select 'hld_' || :a || :b, org_id, 'usr_bench' || :w, 'bench ' || :a || :b, 'agent', 100, 0, 0, '{"lane": "open"}', 'open', 0, 0, '2026-11-01', '${DEADLINE}', ${AT} from w)
insert into movements (org_id, seq, id, kind, free_minor, held_minor, included_minor, included_held_minor, revenue_minor, allowance_minor, account_minor, source, ref, balance_after_minor, hold_id, created_at, hash)
  select org_id, seq, 'led_a' || :a, 'reserve', -100, 100, 0, 0, 0, 0, 0, 'agent', 'bench ' || :a || :b, balance_minor, 'hld_' || :a || :b, ${AT}, head from w;
with w as (
  update wallets set held_minor = held_minor - 100, balance_minor = balance_minor - 60, seq = seq + 1,
    head = sha256(head || convert_to('org_bench' || :w || '|' || seq || '|settle|60|' || balance_minor, 'UTF8'))
  where org_id = 'org_bench' || :w
  returning org_id, seq, balance_minor, head),
c as (update member_months set held_minor = held_minor - 100, spent_minor = spent_minor + 60
  where org_id = 'org_bench' || :w and user_id = 'usr_bench' || :w and month = '2026-11-01'),
h as (update holds set state = 'settled', charged_minor = 60, ended_at = ${AT} where id = 'hld_' || :a || :b)
insert into movements (org_id, seq, id, kind, free_minor, held_minor, included_minor, included_held_minor, revenue_minor, allowance_minor, account_minor, source, ref, balance_after_minor, hold_id, created_at, hash)
  select org_id, seq, 'led_b' || :a, 'settle', 40, -100, 0, 0, 60, 0, 0, 'agent', 'bench ' || :a || :b, balance_minor, 'hld_' || :a || :b, ${AT}, head from w;
`,
})
