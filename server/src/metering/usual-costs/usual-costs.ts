// The usual cost of comparable work, shown beside the maximum of a quote: of the organisation itself, or of many others. A job
// computes that of all organisations every hour; quotes read a copy in memory.
import { before, toMs } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { readUsualShares, type UsualShare } from '../../wallet/wallet.ts'
import * as sql from './usual-costs-sql.ts'

const OBSERVED = { days: 30 }
/** A loop ends well within it. A turn of a task that waits longer counts in full once it has continued. */
const FINISHED_AFTER = { hours: 1 }
const REREAD_MS = toMs({ minutes: 5 })
/** Upper bounds of the size classes of prompts, in tokens. */
const PROMPT_SIZES = [2_000, 8_000, 32_000]
const SAMPLE_LIMITS = {
  holdsMax: 50_000,
  reservedMinorMin: 50n,
  samplesMin: 20,
  orgsMin: 5,
  samplesPerOrgMax: 50,
}

/** The organisation's own work says more, so less of it is enough. */
const OWN_LIMITS = { ...SAMPLE_LIMITS, holdsMax: 500, samplesMin: 5, orgsMin: 1 }
const OWN_REREAD_MS = toMs({ seconds: 30 })
const OWN_COPIES_MAX = 5_000

export type QuotedSize = {
  readonly orgId: OrgId
  readonly kind: UsualShare['kind']
  readonly model: string
  readonly promptTokens: number
  /** The full reservation of the first turn. */
  readonly firstTurnMinor: bigint
  readonly minMinor: bigint
  readonly maxMinor: bigint
}
export type UsualCost = { readonly low: bigint; readonly high: bigint }

/** The 50th and 90th percentile of comparable work, within the bounds of the quote. Null where too little is comparable. */
export async function usualCostOf(app: App, quoted: QuotedSize): Promise<UsualCost | null> {
  const key = shareKey(quoted.kind, quoted.model, promptSizeOf(quoted.promptTokens))
  const share = (await readOwnShares(app, quoted.orgId)).get(key) ?? (await readShares(app)).get(key)
  if (!share) return null
  const at = (permille: number) => {
    const minor = (quoted.firstTurnMinor * BigInt(permille) + 999n) / 1000n
    return smaller(larger(minor, quoted.minMinor), quoted.maxMinor)
  }
  return { low: at(share.p50Permille), high: at(share.p90Permille) }
}

export const refreshUsualCosts = job('metering.refreshUsualCosts', {
  attempts: 1,
  async run(app) {
    await app.db.tx('platform', async (tx) => {
      await tx.lock('usual costs')
      const range = { since: before(tx.now, OBSERVED), until: before(tx.now, FINISHED_AFTER) }
      const shares = await readUsualShares(tx, {
        orgId: null,
        ...range,
        promptSizes: PROMPT_SIZES,
        ...SAMPLE_LIMITS,
      })
      await sql.replaceUsualCosts(tx, shares)
    })
    copies.delete(app.db)
  },
})

export const refreshUsualCostsSchedule: Schedule = {
  name: 'metering.refreshUsualCosts',
  job: 'metering.refreshUsualCosts',
  everySeconds: 3_600,
}

type SharesCopy = { readonly readAtMs: number; readonly shares: ReadonlyMap<string, sql.UsualCostRow> }
const copies = new WeakMap<App['db'], SharesCopy>()

async function readShares(app: App): Promise<SharesCopy['shares']> {
  const readAtMs = app.clock.now().getTime()
  const copy = copies.get(app.db)
  if (copy && readAtMs - copy.readAtMs < REREAD_MS) return copy.shares
  const shares = byKey(await sql.readUsualCosts(app.db.direct))
  copies.set(app.db, { readAtMs, shares })
  return shares
}

const ownCopies = new WeakMap<App['db'], Map<OrgId, SharesCopy>>()

async function readOwnShares(app: App, orgId: OrgId): Promise<SharesCopy['shares']> {
  const now = app.clock.now()
  const known = ownCopies.get(app.db) ?? new Map<OrgId, SharesCopy>()
  ownCopies.set(app.db, known)
  const copy = known.get(orgId)
  if (copy && now.getTime() - copy.readAtMs < OWN_REREAD_MS) return copy.shares
  const range = { since: before(now, OBSERVED), until: now }
  const rows = await app.db.tx(orgId, (tx) =>
    readUsualShares(tx, { orgId, ...range, promptSizes: PROMPT_SIZES, ...OWN_LIMITS }),
  )
  const shares = byKey(rows)
  if (known.size >= OWN_COPIES_MAX) known.clear()
  // A new organisation sees its first figures at once: its few rows are read quickly.
  if (shares.size > 0) known.set(orgId, { readAtMs: now.getTime(), shares })
  return shares
}

const byKey = (rows: readonly sql.UsualCostRow[]): SharesCopy['shares'] =>
  new Map(rows.map((row) => [shareKey(row.kind, row.model, row.promptSize), row]))

const shareKey = (kind: string, model: string, promptSize: number): string => `${kind} ${promptSize} ${model}`
const promptSizeOf = (tokens: number): number => PROMPT_SIZES.filter((size) => tokens >= size).length
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
