// Money bugs, planted into the database or the replicas of one world only. Each must be caught by the simulation. The
// tables' own checks are taken down first: they would catch some of these too, and the simulation must do it alone.
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
  inFunction('a cap is not looked at', [['cap := op.cap;', 'cap := null;']]),
  inFunction('what is reserved does not count against a cap', [
    ['cap - mm.spent_minor - mm.held_minor', 'cap - mm.spent_minor'],
  ]),
  inFunction('a cap counts what was spent in earlier months', [
    [
      "and mm.month = date_trunc('month', at at time zone 'UTC')::date;",
      "and mm.month <= date_trunc('month', at at time zone 'UTC')::date order by mm.month limit 1;",
    ],
  ]),
  inFunction('money that is held can be held again', [
    ['room := (w.balance_minor - w.held_minor) +', 'room := w.balance_minor +'],
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
  inFunction('what is left of a replaced allowance comes back', [
    ['case when h.included_grant = w.included_grant then', 'case when true then'],
  ]),
  inFunction('a debit takes what is held', [
    [
      'want := least(op.amount, w.balance_minor - w.held_minor);',
      'want := least(op.amount, w.balance_minor);',
    ],
  ]),
  inFunction('one cause moves money twice', [[KNOWN_CAUSE, 'false']], () => ['drop index movements_cause']),
  inFunction(
    'wallets are not locked',
    [
      ["where org_id = ops -> 0 ->> 'org' for update;", "where org_id = ops -> 0 ->> 'org';"],
      ['order by org_id for update;', 'order by org_id;'],
    ],
    () => ['alter table movements drop constraint movements_pkey'],
  ),
  inFunction('movements are not chained to the one before', [
    ['movement_hash(w.head, m)', "movement_hash(''::bytea, m)"],
  ]),
  inFunction('what a member has spent is not counted', [
    ['spent_minor = member_months.spent_minor + u.spent', 'spent_minor = member_months.spent_minor'],
  ]),
  inStatements('a payment that is being settled is not locked', UNLOCKED),
  inStatements('answers that come at the same time each credit a payment', UNLOCKED, () => [
    'drop index movements_cause',
    changed(walletApply(), [[KNOWN_CAUSE, `op.cause not like 'topup %' and ${KNOWN_CAUSE}`]]),
  ]),
  inStatements('refunds are not counted against the payment', [
    ['set refunded_minor = refunded_minor + ', 'set refunded_minor = 0 * '],
  ]),
  inHearing('the amount that was paid is not compared', { amountMinor: null }),
  inHearing('the currency that was paid is not compared', { currency: null }),
  inStatements(
    "a provider's transaction pays more than once",
    [['and reference <> ', 'and false and reference <> ']],
    () => ['drop index payments_transaction'],
  ),
]

/** A changed copy of the one function that moves money. */
function inFunction(name: string, changes: readonly Change[], also: () => readonly string[] = () => []): Bug {
  return {
    name,
    plant: () => ({
      ...NO_BUG,
      patchDatabase: (url) => run(url, [...UNGUARDED, ...also(), changed(walletApply(), changes)]),
    }),
  }
}

/** Statements of the service that reach the database changed, in every transaction of both replicas. */
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
      patchReplica: (replica) => bend(replica, changes),
    }),
  }
}

/** A settlement that is not told what it would have to compare. */
function inHearing(name: string, untold: object): Bug {
  return {
    name,
    plant: () => ({
      ...NO_BUG,
      focus: 'payments',
      patchDatabase: (url) => run(url, UNGUARDED),
      alterStatus: (standing) => (standing.status === 'paid' ? { ...standing, ...untold } : standing),
    }),
  }
}

const UNGUARDED = [
  `do $$
  declare guard record;
  begin
    for guard in select conrelid::regclass as place, conname from pg_constraint where contype = 'c'
      and conrelid = any ('{wallets,movements,holds,member_months,payments}'::regclass[])
    loop
      execute format('alter table %s drop constraint %I', guard.place, guard.conname);
    end loop;
  end $$`,
]

function walletApply(): string {
  const functions = readFileSync(new URL('../../sql/functions/wallet.sql', import.meta.url), 'utf8')
  const found = /create or replace function wallet_apply_ops\(.*?\nend \$\$;/s.exec(functions)?.[0]
  if (!found) throw new Error('wallet_apply_ops is not where it was')
  return found
}

/** A bug whose place is gone would prove nothing any more. */
function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((so, [from, to]) => {
    if (!so.includes(from)) throw new Error(`there is no place for this bug any more: ${from}`)
    return so.replaceAll(from, to)
  }, text)
}

/** What contains the first of the texts is changed; the last of the changes is the bug. */
function bend({ app: { db } }: TestServer, changes: readonly Change[]): void {
  const honest = db.tx
  const bent = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  const bentOf = (text: TemplateStringsArray): TemplateStringsArray => {
    const known = bent.get(text) ?? bentText(text, changes)
    bent.set(text, known)
    return known
  }
  const statements = (tx: Tx): Sql => ({
    rows: (text: TemplateStringsArray, ...values: Value[]) => tx.rows(bentOf(text), ...values),
    one: (text: TemplateStringsArray, ...values: Value[]) => tx.one(bentOf(text), ...values),
    maybe: (text: TemplateStringsArray, ...values: Value[]) => tx.maybe(bentOf(text), ...values),
  })
  db.tx = (reach, work) => honest(reach, (tx) => work({ ...tx, ...statements(tx) }))
}

function bentText(text: TemplateStringsArray, changes: readonly Change[]): TemplateStringsArray {
  if (!text.some((part) => part.includes(changes[0]?.[0] ?? ''))) return text
  const parts = text.map((part) => changes.reduce((so, [from, to]) => so.replaceAll(from, to), part))
  return Object.assign(parts, { raw: parts })
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  await withPool(url, async (owner) => {
    for (const statement of statements) await owner.unsafe(statement)
  })
}
