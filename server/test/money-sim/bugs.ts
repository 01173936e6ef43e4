// Money bugs that a test installs into one database or its replicas. The simulation must detect each of them. The check
// constraints of the tables are dropped first, because the simulation must detect the bugs without their help.
import { readFileSync } from 'node:fs'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { withPool } from '../../src/platform/db/pool.ts'
import type { Sql, Tx, Value } from '../../src/platform/db/tx.ts'
import { NO_BUG, type PlantedBug } from './world.ts'

export type Bug = { readonly name: string; plant(): PlantedBug }

type Change = readonly [from: string, to: string]

const KNOWN_CAUSE = 'exists (select from movements where cause = op.cause)'
const UNLOCKED: readonly Change[] = [
  ['from payments where reference = ', 'from payments where reference = '],
  [' for update', ' '],
]

export const bugs: readonly Bug[] = [
  inFunction('a settlement takes more than was held', [
    ['greatest(least(op.amount, h.amount_minor), 0)', 'op.amount'],
  ]),
  inFunction('a cap is not checked', [['cap := op.cap;', 'cap := null;']]),
  inFunction('holds do not count against a cap', [
    ['cap - mm.spent_minor - mm.held_minor', 'cap - mm.spent_minor'],
  ]),
  inFunction('a cap counts spending of earlier months', [
    [
      "and mm.month = date_trunc('month', at at time zone 'UTC')::date;",
      "and mm.month <= date_trunc('month', at at time zone 'UTC')::date order by mm.month limit 1;",
    ],
  ]),
  inFunction('held money can be held again', [
    ['room := (w.balance_minor - w.held_minor) + allowance;', 'room := w.balance_minor + allowance;'],
  ]),
  inFunction('a hold can be ended twice', [
    ["elsif h.state <> 'open' then\n        v.verdict := 'ended';\n      elsif op.kind", 'elsif op.kind'],
  ]),
  inFunction('an expired hold is charged', [
    ["case when op.kind = 'settle' then", "case when op.kind <> 'release' then"],
  ]),
  inFunction('a hold expires before its deadline', [['h.deadline > at then', 'false then']]),
  inFunction('an extended hold keeps its old deadline', [
    ['greatest(holds.deadline, op.deadline)', 'holds.deadline'],
  ]),
  inFunction('the rest of a replaced allowance is returned', [
    ['case when h.included_grant = w.included_grant then', 'case when true then'],
  ]),
  inFunction('a debit takes held money', [
    ['room := w.balance_minor - w.held_minor - room;', 'room := w.balance_minor - room;'],
  ]),
  inFunction('a debit takes trial credit', [
    ['room := w.balance_minor - w.held_minor - room;', 'room := w.balance_minor - w.held_minor;'],
  ]),
  inFunction('a freeze takes trial credit', [['room := room - wallet_trial_free(w);', 'null;']]),
  inFunction('work spends own money before trial credit', [
    [
      'then -least(w.trial_minor, m.revenue_minor)',
      'then -greatest(w.trial_minor - (w.balance_minor - m.revenue_minor), 0)',
    ],
  ]),
  inFunction('the expiry takes trial credit that work holds', [
    [
      'room := wallet_trial_free(w);',
      "room := case op.source when 'trial' then w.trial_minor else wallet_trial_free(w) end;",
    ],
  ]),
  inFunction('one cause moves money twice', [[KNOWN_CAUSE, 'false']], () => ['drop index movements_cause']),
  inFunction(
    'wallets are not locked',
    [
      ["where org_id = ops -> 0 ->> 'org' for update;", "where org_id = ops -> 0 ->> 'org';"],
      ['order by org_id for update) l;', 'order by org_id) l;'],
    ],
    () => ['alter table movements drop constraint movements_pkey'],
  ),
  inFunction('postings are not chained to the previous one', [
    ['movement_hash(w.head, m)', "movement_hash(''::bytea, m)"],
  ]),
  inFunction('the spending of a member is not counted', [
    ['spent_minor = member_months.spent_minor + u.spent', 'spent_minor = member_months.spent_minor'],
  ]),
  inFunction('a charge that accrues is rounded up by itself', [
    ['ceil(accrual.exact_cost + cost) - accrual.charged_minor;', 'ceil(cost);'],
  ]),
  inFunction('the cost of a charge does not accrue', [
    ['accrual.exact_cost := accrual.exact_cost + cost;', 'null;'],
  ]),
  inFunction('a batch forgets the accruals of all wallets but the last', [
    ['accruals := array_append(accruals, accrual); end if;', 'null; end if;'],
  ]),
  inStatements('a payment is not locked during its settlement', UNLOCKED),
  inStatements('concurrent provider answers each credit a payment', UNLOCKED, () => [
    'drop index movements_cause',
    changed(walletApply(), [[KNOWN_CAUSE, `op.cause not like 'topup %' and ${KNOWN_CAUSE}`]]),
  ]),
  inStatements('refunds are not counted against the payment', [
    ['set refunded_minor = refunded_minor + ', 'set refunded_minor = 0 * '],
  ]),
  inProviderStatus('the paid amount is not compared', { amountMinor: null }),
  inProviderStatus('the paid currency is not compared', { currency: null }),
  inStatements(
    "a provider's transaction pays more than once",
    [['and reference <> ', 'and false and reference <> ']],
    () => ['drop index payments_transaction'],
  ),
]

/** Installs a changed copy of the SQL function that moves money. */
function inFunction(name: string, changes: readonly Change[], also: () => readonly string[] = () => []): Bug {
  return {
    name,
    plant: () => ({
      ...NO_BUG,
      patchDatabase: (url) => run(url, [...UNGUARDED, ...also(), changed(walletApply(), changes)]),
    }),
  }
}

/** Changes statements of the service in every transaction of both replicas. */
function inStatements(
  name: string,
  changes: readonly Change[],
  also: () => readonly string[] = () => [],
): Bug {
  return {
    name,
    plant: () => ({
      ...NO_BUG,
      focus: 'payments',
      patchDatabase: (url) => run(url, [...UNGUARDED, ...also()]),
      patchReplica: (replica) => patchStatements(replica, changes),
    }),
  }
}

/** Hides a field of the provider status from the settlement. */
function inProviderStatus(name: string, hidden: object): Bug {
  return {
    name,
    plant: () => ({
      ...NO_BUG,
      focus: 'payments',
      patchDatabase: (url) => run(url, UNGUARDED),
      alterStatus: (status) => (status.status === 'paid' ? { ...status, ...hidden } : status),
    }),
  }
}

const UNGUARDED = [
  `do $$
  declare guard record;
  begin
    for guard in select conrelid::regclass as place, conname from pg_constraint where contype = 'c'
      and conrelid = any ('{wallets,movements,holds,member_months,wallet_accruals,payments}'::regclass[])
    loop
      execute format('alter table %s drop constraint %I', guard.place, guard.conname);
    end loop;
  end $$`,
]

function walletApply(): string {
  const functions = readFileSync(new URL('../../sql/functions/wallet.sql', import.meta.url), 'utf8')
  const found = /create or replace function wallet_apply_ops\(.*?\nend \$\$;/s.exec(functions)?.[0]
  if (!found) throw new Error('wallet_apply_ops was not found in wallet.sql')
  return found
}

/** Fails if the replaced text no longer exists, because the bug would not be installed. */
function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((so, [from, to]) => {
    if (!so.includes(from)) throw new Error(`the text that this bug replaces does not exist: ${from}`)
    return so.replaceAll(from, to)
  }, text)
}

/** Changes statements that contain the first text. The last change is the bug. */
function patchStatements({ app: { db } }: TestServer, changes: readonly Change[]): void {
  const originalTx = db.tx
  const patchedTexts = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  const patched = (text: TemplateStringsArray): TemplateStringsArray => {
    const known = patchedTexts.get(text) ?? patchText(text, changes)
    patchedTexts.set(text, known)
    return known
  }
  const statements = (tx: Tx): Sql => ({
    rows: (text: TemplateStringsArray, ...values: Value[]) => tx.rows(patched(text), ...values),
    one: (text: TemplateStringsArray, ...values: Value[]) => tx.one(patched(text), ...values),
    maybe: (text: TemplateStringsArray, ...values: Value[]) => tx.maybe(patched(text), ...values),
  })
  db.tx = (reach, work) => originalTx(reach, (tx) => work({ ...tx, ...statements(tx) }))
}

function patchText(text: TemplateStringsArray, changes: readonly Change[]): TemplateStringsArray {
  if (!text.some((part) => part.includes(changes[0]?.[0] ?? ''))) return text
  const parts = text.map((part) => changes.reduce((so, [from, to]) => so.replaceAll(from, to), part))
  return Object.assign(parts, { raw: parts })
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  await withPool(url, async (owner) => {
    for (const statement of statements) await owner.unsafe(statement)
  })
}
