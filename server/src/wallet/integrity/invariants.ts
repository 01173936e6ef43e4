// What must be true of all money at all times, as checks that staff can run. Nothing here repairs anything.
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/page.ts'
import * as sql from './invariants-sql.ts'

export type CheckFinding = {
  checked: bigint
  violations: bigint
  /** The first ids that break it, at most ten; null without any. */
  examples: string[] | null
}

export type InvariantCheck = {
  readonly name: string
  /** What holds when all is well. */
  readonly holds: string
  /** One statement, so that it sees one instant. In the reach of the platform. */
  find(tx: Tx): Promise<CheckFinding>
}

export const walletChecks: readonly InvariantCheck[] = [
  {
    name: 'movements_sum_to_zero',
    holds: 'Every movement takes from somewhere exactly what it gives elsewhere.',
    find: sql.checkPostingsBalance,
  },
  {
    name: 'wallets_are_the_sum_of_their_movements',
    holds: 'What each wallet has free, held, included and included but held is what its movements sum up to.',
    find: sql.checkWalletsMatchPostings,
  },
  {
    name: 'held_is_what_open_holds_reserve',
    holds: 'What each wallet has set aside is what its open holds say.',
    find: sql.checkHeldMatchesHolds,
  },
  {
    name: 'holds_are_paid_once',
    holds: 'Each hold has moved exactly what it says was charged, and keeps nothing after its end.',
    find: sql.checkHoldsMatchPostings,
  },
  {
    name: 'member_months_are_the_sum_of_holds',
    holds: 'What counts against a member’s cap is what their holds reserve and have charged.',
    find: sql.checkMemberMonthsMatchHolds,
  },
  {
    name: 'nothing_is_negative',
    holds: 'No wallet, balance, hold or month is below zero, and nothing is held that is not there.',
    find: sql.checkNothingNegative,
  },
  {
    name: 'chains_are_whole',
    holds: 'Movements are numbered without a gap, and each wallet remembers the hash of its last.',
    find: sql.checkChainsComplete,
  },
]

const CHECK_TIMEOUT_MS = 60_000
const BUDGET_MS = 110_000
const HASHES_PER_CALL = 200_000

export type CheckResult = {
  name: string
  holds: string
  ok: boolean
  /** False when it took too long: then nothing is known. */
  finished: boolean
  checked: bigint
  violations: bigint
  examples: string[]
}

/**
 * Runs the checks one after the other, each in a transaction that cannot write and ends within a minute, all of them
 * within two. One that does not come to its end is not right, and does not keep the others from theirs.
 */
export async function runChecks(
  app: App,
  checks: readonly InvariantCheck[],
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<CheckResult[]> {
  const endAt = app.clock.now().getTime() + BUDGET_MS
  const results: CheckResult[] = []
  for (const check of checks) {
    const leftMs = Math.max(endAt - app.clock.now().getTime(), 1)
    results.push(await runCheck(app, check, Math.min(timeoutMs, leftMs)))
  }
  return results
}

/** Recomputes the hashes of so many movements as one call can; `nextCursor` says where to go on. */
export async function checkHashes(app: App, cursor: string | undefined, most = HASHES_PER_CALL) {
  const place = readCursor(cursor)
  let stoppedAt: [string, string] | null = null
  const result = await runCheck(
    app,
    {
      name: 'movements_follow_from_each_other',
      holds:
        'Every movement carries the hash of what it says and of the one before it, and continues its balance.',
      async find(tx) {
        const found = await sql.checkHashPage(tx, place, most)
        stoppedAt = found.stoppedAt
        return found
      },
    },
    CHECK_TIMEOUT_MS,
  )
  return { result, nextCursor: stoppedAt === null ? null : encodeCursor(stoppedAt) }
}

/** Per currency, what each account has; all of them together are nothing. */
export async function trialBalance(app: App) {
  const totals = await readConfined(app, sql.accountTotals, CHECK_TIMEOUT_MS)
  return [...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, accounts]) => {
    const sumMinor = accounts.reduce((sum, { totalMinor }) => sum + totalMinor, 0n)
    const listed = accounts.map(({ account, totalMinor }) => ({ account, totalMinor }))
    return { currency, ok: sumMinor === 0n, sumMinor, accounts: listed }
  })
}

async function runCheck(
  app: App,
  { name, holds, find }: InvariantCheck,
  timeoutMs: number,
): Promise<CheckResult> {
  try {
    const { checked, violations, examples } = await readConfined(app, find, timeoutMs)
    return {
      name,
      holds,
      ok: violations === 0n,
      finished: true,
      checked,
      violations,
      examples: examples ?? [],
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'busy')) throw error
    return { name, holds, ok: false, finished: false, checked: 0n, violations: 0n, examples: [] }
  }
}

const readConfined = <T>(app: App, read: (tx: Tx) => Promise<T>, timeoutMs: number): Promise<T> =>
  app.db.tx('platform', async (tx) => {
    await sql.confineCheck(tx, timeoutMs)
    return read(tx)
  })

function readCursor(cursor: string | undefined): sql.HashCheckPosition {
  const [orgId = '', seq = ''] = decodeCursor(cursor, 2) ?? ['', '0']
  if (!/^\d{1,18}$/.test(seq))
    throw invalidFields({ path: 'cursor', message: 'is not a cursor of this check; start without one' })
  return { orgId, seq: BigInt(seq) }
}
