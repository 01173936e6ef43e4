// The job that anchors changed chains outside the database every five minutes.
import type { App } from '../../platform/app.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import type { SealedData } from '../../platform/sealed-data.ts'
import { firstFault } from '../verify/verify-sql.ts'
import { anchorSeal, readAnchor, writeAnchor } from './anchor-store.ts'
import * as sql from './anchors-sql.ts'

const ANCHOR = 'audit.anchor'
const EVERY_SECONDS = 300
const CHAINS_MAX = 10_000
const PAGE_CHAINS = 200
const CONCURRENT_WRITES = 8
const CHAINS_NAMED = 20

export const auditJobs: readonly JobKind[] = [
  job(ANCHOR, {
    timeoutMs: (EVERY_SECONDS - 30) * 1000,
    run: (app, { signal }) => anchorChains(app, signal),
  }),
]

export const auditSchedules: readonly Schedule[] = [
  { name: 'audit.anchor', job: ANCHOR, everySeconds: EVERY_SECONDS },
]

type Outcome = 'anchored' | 'anchored without evidence' | 'contradicting'

/**
 * Anchors up to 10 000 chains; the next run continues. A chain that contradicts its anchor is logged every time and keeps
 * the old anchor as proof. Without an anchor, the chain must agree with its anchor row.
 */
export async function anchorChains(app: App, signal: AbortSignal): Promise<void> {
  const outcomes: [chain: string, Outcome][] = []
  let after = ''
  let isDone = false
  for (let seen = 0; seen < CHAINS_MAX && !isDone; seen += PAGE_CHAINS) {
    signal.throwIfAborted()
    const begin = after
    const heads = await app.db.tx('platform', (tx) => sql.listUnanchoredHeads(tx, begin, PAGE_CHAINS))
    outcomes.push(...(await anchorPage(app, heads)))
    after = heads.at(-1)?.chain ?? after
    isDone = heads.length < PAGE_CHAINS
  }
  if (!isDone) app.log.warn({ chains: CHAINS_MAX }, 'audit.anchor.backlog')
  const tampered = chainsWith(outcomes, 'contradicting')
  if (tampered.count > 0) app.log.error(tampered, 'audit.chain.tampered')
  const unanchored = chainsWith(outcomes, 'anchored without evidence')
  if (unanchored.count > 0) app.log.error(unanchored, 'audit.anchor.lost')
}

function chainsWith(outcomes: readonly [chain: string, Outcome][], expected: Outcome) {
  const chains = outcomes.flatMap(([chain, outcome]) => (outcome === expected ? [chain] : []))
  return { chains: chains.slice(0, CHAINS_NAMED), count: chains.length }
}

async function anchorPage(app: App, heads: readonly sql.UnanchoredHead[]): Promise<[string, Outcome][]> {
  const outcomes = new Map<sql.UnanchoredHead, Outcome>()
  const queue = heads.values()
  const work = async () => {
    for (const head of queue) outcomes.set(head, await anchorOne(app, head))
  }
  await Promise.all(Array.from({ length: CONCURRENT_WRITES }, work))
  const anchored = heads.filter((head) => outcomes.get(head) !== 'contradicting')
  if (anchored.length > 0) await app.db.tx('platform', (tx) => sql.saveAnchorRows(tx, anchored))
  return [...outcomes].map(([{ chain }, outcome]) => [chain, outcome])
}

/** After a rotation of the service secret, the job itself anchors again, because only it may replace an anchor. */
export const sealedAnchors: SealedData<App> = {
  name: 'anchors of audit chains in the storage',
  async resealPage(app, after) {
    const chains = await app.db.tx('platform', (tx) => sql.listAnchoredChains(tx, after, PAGE_CHAINS))
    const seals = new Map<string, string>()
    const queue = chains.values()
    const work = async () => {
      for (const chain of queue) seals.set(chain, await anchorSeal(app, chain))
    }
    await Promise.all(Array.from({ length: CONCURRENT_WRITES }, work))
    const older = chains.filter((chain) => seals.get(chain) === 'older')
    if (older.length > 0) await app.db.tx('platform', (tx) => sql.requestAnchors(tx, older))
    return {
      resealed: older.length,
      unreadable: chains.filter((chain) => seals.get(chain) === 'unreadable'),
      next: chains.length < PAGE_CHAINS ? undefined : chains.at(-1),
    }
  },
}

async function anchorOne(app: App, { anchorRow, ...head }: sql.UnanchoredHead): Promise<Outcome> {
  const { chain } = head
  const anchor = await readAnchor(app, chain)
  const hasAnchor = typeof anchor === 'object'
  const points = [hasAnchor ? anchor : null, anchorRow]
  const fault = await app.db.tx('platform', (tx) => firstFault(tx, chain, points))
  // A chain without a head cannot be anchored, even if it has entries.
  if (fault || head.seq === 0n) return 'contradicting'
  await writeAnchor(app, { ...head, at: app.clock.now() })
  return hasAnchor || (anchor === 'none' && anchorRow === null) ? 'anchored' : 'anchored without evidence'
}
