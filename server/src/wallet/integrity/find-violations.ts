// Where a check reads: in one statement, or on several nodes, which show no common instant.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../platform/app.ts'
import { readShards } from '../../platform/db/citus/visit-shards.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import * as sql from './invariants-sql.ts'

export type ViolationSearch = {
  /** One statement, so that it sees one instant. Needs the tenant scope `platform`. `at` is the time of the whole check. */
  find(sql: Sql, at: Date): Promise<sql.CheckFinding>
  /** Whether it reads only wallets and what is stored with them. */
  readonly isLocal?: true
}

/** A finding names at most this many rows. */
const EXAMPLES_MAX = 1_000
/** A transaction commits on the coordinator and a node within milliseconds. */
const AGAIN_AFTER_MS = 1_000
const TIMES_AGAIN = 2

export const readOnly = <T>(app: App, read: (tx: Tx) => Promise<T>, timeoutMs: number): Promise<T> =>
  app.db.tx('platform', async (tx) => {
    await sql.limitTransaction(tx, timeoutMs)
    return read(tx)
  })

/** A shard shows each of its organisations at one instant. Other tables are on the coordinator. */
export async function findViolations(
  app: App,
  { find, isLocal }: ViolationSearch,
  timeoutMs: number,
): Promise<sql.CheckFinding> {
  const { shards } = app.db
  const at = app.clock.now()
  const read = (from: Sql) => find(from, at)
  const once = () => readOnly(app, read, timeoutMs)
  if (!shards) return once()
  return isLocal ? sum(await readShards(shards, read, timeoutMs)) : findLasting(once)
}

/** The totals of all shards, each at one instant. */
export async function accountTotals(app: App, timeoutMs: number): Promise<sql.AccountTotal[]> {
  const { shards } = app.db
  if (!shards) return readOnly(app, sql.accountTotals, timeoutMs)
  const sums = new Map<string, sql.AccountTotal>()
  for (const total of (await readShards(shards, (at: Sql) => sql.accountTotals(at), timeoutMs)).flat()) {
    const key = `${total.currency} ${total.account}`
    const before = sums.get(key)?.totalMinor ?? 0n
    sums.set(key, { ...total, totalMinor: before + total.totalMinor })
  }
  return [...sums.keys()].toSorted().map((key) => sums.get(key) as sql.AccountTotal)
}

/** Between the coordinator and a node, a difference is a violation if it lasts longer than a commit. */
async function findLasting(find: () => Promise<sql.CheckFinding>): Promise<sql.CheckFinding> {
  let found = await find()
  let lasting = new Set(found.examples)
  for (let again = 0; again < TIMES_AGAIN && lasting.size > 0; again++) {
    if (found.violations > EXAMPLES_MAX) return found
    await pause(AGAIN_AFTER_MS)
    found = await find()
    lasting = lasting.intersection(new Set(found.examples))
  }
  const isSame = (found.examples ?? []).every((id) => lasting.has(id))
  if (isSame) return found
  return {
    ...found,
    violations: BigInt(lasting.size),
    examples: lasting.size > 0 ? [...lasting].toSorted() : null,
  }
}

function sum(findings: readonly sql.CheckFinding[]): sql.CheckFinding {
  const examples = findings.flatMap((finding) => finding.examples ?? []).toSorted()
  return {
    checked: findings.reduce((total, { checked }) => total + checked, 0n),
    violations: findings.reduce((total, { violations }) => total + violations, 0n),
    examples: examples.length > 0 ? examples : null,
  }
}
