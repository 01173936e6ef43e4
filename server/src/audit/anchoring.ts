// Every few minutes the chains that have moved on are noted down outside the database.
import type { App } from '../platform/app.ts'
import { readAnchor, writeAnchor } from './anchor.ts'
import * as sql from './anchor-sql.ts'
import { faultAgainst, type Head } from './verify-sql.ts'

const CHAINS_MAX = 10_000
const PAGE = 200
const AT_ONCE = 8
const CHAINS_NAMED = 20

/**
 * Notes down up to 10 000 chains; the rest has its turn with the next run. A chain that contradicts its earlier note is
 * told to the log each time, and keeps that note: it is the proof.
 */
export async function anchorChains(app: App, signal: AbortSignal): Promise<void> {
  const contradicting: string[] = []
  let after = ''
  let isDone = false
  for (let seen = 0; seen < CHAINS_MAX && !isDone; seen += PAGE) {
    signal.throwIfAborted()
    const begin = after
    const heads = await app.db.tx('platform', (tx) => sql.listUnanchored(tx, begin, PAGE))
    const noted = await anchorPage(app, heads)
    if (noted.length > 0) await app.db.tx('platform', (tx) => sql.saveAnchors(tx, noted))
    const kept = new Set(noted.map(({ chain }) => chain))
    contradicting.push(...heads.flatMap(({ chain }) => (kept.has(chain) ? [] : [chain])))
    after = heads.at(-1)?.chain ?? after
    isDone = heads.length < PAGE
  }
  if (!isDone) app.log.warn({ chains: CHAINS_MAX }, 'more audit chains moved on than one run notes down')
  if (contradicting.length > 0)
    app.log.error(
      { chains: contradicting.slice(0, CHAINS_NAMED), count: contradicting.length },
      'audit chains were cut or rewritten since they were noted down',
    )
}

/** The heads that were noted; the others contradict an earlier note. */
async function anchorPage(app: App, heads: readonly Head[]): Promise<Head[]> {
  const noted: Head[] = []
  const left = heads.values()
  const work = async () => {
    for (const head of left) if (await anchorOne(app, head)) noted.push(head)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return noted
}

async function anchorOne(app: App, head: Head): Promise<boolean> {
  const { chain } = head
  const before = await readAnchor(app, chain)
  if (before === 'unreadable')
    app.log.warn({ chain }, 'what was noted down about an audit chain does not open; it is noted anew')
  else if (before !== 'none' && (await app.db.tx('platform', (tx) => faultAgainst(tx, before)))) return false
  // The database says that it was noted, but neither is there anything to note nor a note.
  if (head.seq === 0n) return false
  await writeAnchor(app, { ...head, at: app.clock.now() })
  return true
}
