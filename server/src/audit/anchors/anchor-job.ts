// Every few minutes the chains that have moved on are noted down outside the database.
import type { App } from '../../platform/app.ts'
import { firstFault } from '../verify/verify-sql.ts'
import { readAnchor, writeAnchor } from './anchor-store.ts'
import * as sql from './anchors-sql.ts'

const CHAINS_MAX = 10_000
const PAGE = 200
const AT_ONCE = 8
const CHAINS_NAMED = 20

type Outcome = 'noted' | 'noted without a note' | 'contradicting'

/**
 * Notes down up to 10 000 chains; the rest has its turn with the next run. A chain that contradicts what was noted is told
 * to the log each time, and keeps that: it is the proof. Where only the database remembers, it has to agree with that.
 */
export async function anchorChains(app: App, signal: AbortSignal): Promise<void> {
  const outcomes: [chain: string, Outcome][] = []
  let after = ''
  let isDone = false
  for (let seen = 0; seen < CHAINS_MAX && !isDone; seen += PAGE) {
    signal.throwIfAborted()
    const begin = after
    const heads = await app.db.tx('platform', (tx) => sql.listUnanchoredHeads(tx, begin, PAGE))
    outcomes.push(...(await anchorPage(app, heads)))
    after = heads.at(-1)?.chain ?? after
    isDone = heads.length < PAGE
  }
  if (!isDone) app.log.warn({ chains: CHAINS_MAX }, 'audit.anchor.backlog')
  const tampered = chainsWith(outcomes, 'contradicting')
  if (tampered.count > 0) app.log.error(tampered, 'audit.chain.tampered')
  const unanchored = chainsWith(outcomes, 'noted without a note')
  if (unanchored.count > 0) app.log.error(unanchored, 'audit.anchor.lost')
}

function chainsWith(outcomes: readonly [chain: string, Outcome][], wanted: Outcome) {
  const chains = outcomes.flatMap(([chain, outcome]) => (outcome === wanted ? [chain] : []))
  return { chains: chains.slice(0, CHAINS_NAMED), count: chains.length }
}

async function anchorPage(app: App, heads: readonly sql.UnanchoredHead[]): Promise<[string, Outcome][]> {
  const outcomes = new Map<sql.UnanchoredHead, Outcome>()
  const left = heads.values()
  const work = async () => {
    for (const head of left) outcomes.set(head, await anchorOne(app, head))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const noted = heads.filter((head) => outcomes.get(head) !== 'contradicting')
  if (noted.length > 0) await app.db.tx('platform', (tx) => sql.saveAnchorRows(tx, noted))
  return [...outcomes].map(([{ chain }, outcome]) => [chain, outcome])
}

async function anchorOne(app: App, { anchorRow: noted, ...head }: sql.UnanchoredHead): Promise<Outcome> {
  const { chain } = head
  const before = await readAnchor(app, chain)
  const isKept = typeof before === 'object'
  const marks = [isKept ? before : null, noted]
  const fault = await app.db.tx('platform', (tx) => firstFault(tx, chain, marks))
  // A chain without an end has nothing to note, whatever its entries say.
  if (fault || head.seq === 0n) return 'contradicting'
  await writeAnchor(app, { ...head, at: app.clock.now() })
  return isKept || (before === 'none' && noted === null) ? 'noted' : 'noted without a note'
}
