// Invariants of all money, as checks that staff can run. They never repair data.
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/page.ts'
import { accountTotals, findViolations, type ViolationSearch } from './find-violations.ts'
import * as sql from './invariants-sql.ts'

export type InvariantCheck = ViolationSearch & {
  readonly name: string
  /** The invariant as a sentence. */
  readonly holds: string
}

export const walletChecks: readonly InvariantCheck[] = [
  {
    name: 'movements_sum_to_zero',
    holds: 'The amounts of every posting sum to zero.',
    find: sql.checkPostingsBalance,
    isLocal: true,
  },
  {
    name: 'wallets_are_the_sum_of_their_movements',
    holds: 'The free, held, included and included held money of each wallet equals the sum of its postings.',
    find: sql.checkWalletsMatchPostings,
    isLocal: true,
  },
  {
    name: 'held_is_what_open_holds_reserve',
    holds: 'The held money of each wallet equals the sum of its open holds.',
    find: sql.checkHeldMatchesHolds,
    isLocal: true,
  },
  {
    name: 'holds_are_paid_once',
    holds: 'The postings of each hold equal its charge, and an ended hold reserves nothing.',
    find: sql.checkHoldsMatchPostings,
    isLocal: true,
  },
  {
    name: 'member_months_are_the_sum_of_holds',
    holds: 'The usage against a member’s cap equals the reserved and charged amounts of their holds.',
    find: sql.checkMemberMonthsMatchHolds,
    isLocal: true,
  },
  {
    name: 'key_spend_is_the_sum_of_holds',
    holds:
      'The usage against the budget of an API key equals the reserved and charged amounts of its holds and those of the keys below it.',
    find: sql.checkKeySpendMatchesHolds,
    isLocal: true,
  },
  {
    name: 'nothing_is_negative',
    holds: 'No wallet, balance, hold, month or day is negative, and no wallet holds more than its balance.',
    find: sql.checkNothingNegative,
    isLocal: true,
  },
  {
    name: 'trial_credit_is_what_postings_leave',
    holds: 'The trial credit of each wallet was granted, and equals what its postings leave of it.',
    find: sql.checkTrialsMatchPostings,
    isLocal: true,
  },
  {
    name: 'trial_grants_are_postings',
    holds: 'Every grant of trial credit was credited once in full, and its expired part was debited.',
    find: sql.checkGrantsArePosted,
  },
  {
    name: 'accruals_are_the_exact_sum_of_charges',
    holds: 'The charges that accumulate in a wallet equal the sum of their exact costs, rounded up once.',
    find: sql.checkAccrualsMatchHolds,
    isLocal: true,
  },
  {
    name: 'chains_are_whole',
    holds: 'Postings are numbered without gaps, and each wallet stores the hash of its last posting.',
    find: sql.checkChainsComplete,
    isLocal: true,
  },
]

const CHECK_TIMEOUT_MS = 60_000
const BUDGET_MS = 110_000
const HASHES_PER_CALL = 200_000
const EXAMPLES_SHOWN = 10

export type CheckResult = {
  name: string
  holds: string
  ok: boolean
  /** False after a timeout: the result is unknown. */
  finished: boolean
  checked: bigint
  violations: bigint
  examples: string[]
}

/**
 * Runs the checks one after the other in read-only transactions, each for at most a minute and all for at most two. A check
 * that times out counts as failed and does not stop the others.
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

/** Recomputes the hashes of one page of postings. `nextCursor` continues with the next page. */
export async function checkHashes(app: App, cursor: string | undefined, most = HASHES_PER_CALL) {
  const position = readCursor(cursor)
  let stoppedAt: [string, string] | null = null
  const result = await runCheck(
    app,
    {
      name: 'movements_follow_from_each_other',
      holds:
        'The hash of every posting covers its fields and the previous hash, and its balance continues the previous one.',
      async find(at) {
        const found = await sql.checkHashPage(at, position, most)
        stoppedAt = found.stoppedAt
        return found
      },
    },
    CHECK_TIMEOUT_MS,
  )
  return { result, nextCursor: stoppedAt === null ? null : encodeCursor(stoppedAt) }
}

/** The total of each account per currency. The totals of a currency sum to zero. */
export async function trialBalance(app: App) {
  const totals = await accountTotals(app, CHECK_TIMEOUT_MS)
  return [...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, accounts]) => {
    const sumMinor = accounts.reduce((sum, { totalMinor }) => sum + totalMinor, 0n)
    const listed = accounts.map(({ account, totalMinor }) => ({ account, totalMinor }))
    return { currency, ok: sumMinor === 0n, sumMinor, accounts: listed }
  })
}

async function runCheck(app: App, check: InvariantCheck, timeoutMs: number): Promise<CheckResult> {
  const { name, holds } = check
  try {
    const { checked, violations, examples } = await findViolations(app, check, timeoutMs)
    return {
      name,
      holds,
      ok: violations === 0n,
      finished: true,
      checked,
      violations,
      examples: examples?.slice(0, EXAMPLES_SHOWN) ?? [],
    }
  } catch (error) {
    if (!(error instanceof ApiError && isUnfinished(app, error))) throw error
    return { name, holds, ok: false, finished: false, checked: 0n, violations: 0n, examples: [] }
  }
}

/** A node that is down leaves the result unknown. */
const isUnfinished = ({ db }: App, { code }: ApiError): boolean =>
  code === 'busy' || (db.shards !== null && code === 'database_unavailable')

function readCursor(cursor: string | undefined): sql.HashCheckPosition {
  const [orgId = '', seq = ''] = decodeCursor(cursor, 2) ?? ['', '0']
  if (!/^\d{1,18}$/.test(seq))
    throw invalidFields({ path: 'cursor', message: 'is not a cursor of this check; start without one' })
  return { orgId, seq: BigInt(seq) }
}
