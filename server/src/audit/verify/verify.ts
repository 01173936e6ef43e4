// Walking the chains: is every entry still the one that was written?

import { invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, TenantScope } from '../../platform/db/tx.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/page.ts'
import * as sql from './verify-sql.ts'

/** What is noted down outside the database about the end of a chain. */
export type AnchorState = {
  /** `lost` where there must be a note and is none; `unreadable` where it does not open or cannot be fetched. */
  state: 'none' | 'kept' | 'lost' | 'unreadable'
  seq: bigint | null
  hash: string | null
  at: Date | null
}
/** The note, and the entry that it was about as far as the database remembers: both must still be in the chain. */
export type ChainEvidence = { anchor: AnchorState; anchorRow: { seq: bigint; hash: string } | null }
export type ReadEvidence = (reach: TenantScope, chain: string) => Promise<ChainEvidence>
/** A chain whose note is gone although there was one: it may be whole, but nothing outside the database says so. */
export type UnprovenChain = { orgId: string | null; state: 'lost' | 'unreadable' }

export type Verdict = {
  /** Nothing is broken, and nothing unproven. */
  ok: boolean
  /** How many entries were checked and found right. */
  entries: number
  /** The end of the own chain. Note it down elsewhere: a later answer must still contain it. */
  head: { seq: bigint; hash: string } | null
  /** What the own chain was compared with at its end; null before that. */
  anchor: AnchorState | null
  broken: { seq: bigint; id: string | null; reason: sql.Reason; orgId: string | null } | null
  /** The first of those that were checked and whose note is gone. */
  unproven: UnprovenChain[]
  /** Where to go on when there was more than one call checks; `ok` speaks of what was checked. */
  nextCursor: string | null
}

const PAGE_ENTRIES = 5_000
const CALL_ENTRIES_MAX = 500_000
const CALL_CHAINS_MAX = 2_000
const CHAINS_PAGE = 200
const UNPROVEN_NAMED = 20
const GENESIS: sql.Link = { seq: 0n, id: null, hash: '0'.repeat(64) }

/** Walks the chain of one organisation, in transactions of a page each, and holds its end against its anchor. */
export async function verifyChain(
  db: Db,
  orgId: OrgId,
  cursor?: string,
  findAnchor: ReadEvidence = noEvidence,
): Promise<Verdict> {
  const start = readCursor(cursor)
  const head = (await db.tx(orgId, (tx) => sql.findHead(tx, orgId))) ?? { chain: orgId, ...GENESIS }
  const walk = await checkChain(db, orgId, head, start.seq, CALL_ENTRIES_MAX, findAnchor)
  const { anchor } = walk
  return {
    ...toVerdict(walk, walk.unproven),
    anchor,
    head: head.seq === 0n ? null : { seq: head.seq, hash: head.hash },
  }
}

/**
 * Walks every chain, the platform's own among them, up to so many in one call. Stops at the first that is broken; those
 * that are only unproven are named, and the others are looked at.
 */
export async function verifyAll(
  db: Db,
  cursor?: string,
  findAnchor: ReadEvidence = noEvidence,
  chainsMax = CALL_CHAINS_MAX,
): Promise<Verdict> {
  const headless = await db.tx('platform', (tx) => sql.findHeadless(tx))
  if (headless)
    return toVerdict(await walkChain(db, 'platform', { chain: headless.chain, ...GENESIS }, 0n, 0))
  const start = readCursor(cursor)
  const resumed = await db.tx('platform', (tx) => sql.findHead(tx, start.chain))
  const unproven: UnprovenChain[] = []
  let entries = 0
  let chains = 0
  let last = start.chain
  // Each round takes chains that follow the last one, so it ends with them.
  for (
    let heads = resumed ? [resumed] : await headsAfter(db, last);
    heads.length > 0;
    heads = await headsAfter(db, last)
  ) {
    for (const head of heads) {
      const from = head === resumed ? start.seq : 0n
      const walk = await checkChain(db, 'platform', head, from, CALL_ENTRIES_MAX - entries, findAnchor)
      entries += walk.entries
      if (unproven.length < UNPROVEN_NAMED) unproven.push(...walk.unproven)
      if (walk.broken || walk.stoppedAt !== null) return { ...toVerdict(walk, unproven), entries }
      if (++chains >= chainsMax) return { ...toVerdict({ ...walk, stoppedAt: head.seq }, unproven), entries }
      last = head.chain
    }
  }
  const ok = unproven.length === 0
  return { ok, entries, head: null, anchor: null, broken: null, unproven, nextCursor: null }
}

const noEvidence: ReadEvidence = async () => ({
  anchor: { state: 'none', seq: null, hash: null, at: null },
  anchorRow: null,
})

const headsAfter = (db: Db, chain: string) =>
  db.tx('platform', (tx) => sql.listHeadsAfter(tx, chain, CHAINS_PAGE))

type Walk = { chain: string; entries: number; broken: sql.Fault | null; stoppedAt: bigint | null }

/** Walks a chain. One that is right in itself may still be shorter than it was, or written anew as a whole. */
async function checkChain(
  db: Db,
  reach: TenantScope,
  head: sql.Head,
  startSeq: bigint,
  entriesMax: number,
  findAnchor: ReadEvidence,
): Promise<Walk & { anchor: AnchorState | null; unproven: UnprovenChain[] }> {
  const walk = await walkChain(db, reach, head, startSeq, entriesMax)
  if (walk.broken || walk.stoppedAt !== null) return { ...walk, anchor: null, unproven: [] }
  const { anchor, anchorRow: noted } = await findAnchor(reach, head.chain)
  const { state, seq, hash } = anchor
  const kept = seq === null || hash === null ? null : { seq, hash }
  const fault = await db.tx(reach, (tx) => sql.firstFault(tx, head.chain, [kept, noted]))
  const isGone = noted !== null && (state === 'lost' || state === 'unreadable')
  const unproven = isGone ? [{ orgId: orgOf(head.chain), state }] : []
  return { ...walk, broken: fault ?? null, anchor, unproven }
}

async function walkChain(
  db: Db,
  reach: TenantScope,
  head: sql.Head,
  startSeq: bigint,
  entriesMax: number,
): Promise<Walk> {
  const { chain } = head
  const ended = (at: bigint, broken: sql.Fault | null = null): Walk => ({
    chain,
    entries: Number(at - startSeq),
    broken,
    stoppedAt: null,
  })
  const brokenAt = (fault: sql.Fault): Walk => ended(fault.seq > startSeq ? fault.seq - 1n : startSeq, fault)
  if (startSeq > head.seq) throw invalidCursor()
  const end = min(head.seq, startSeq + BigInt(entriesMax))

  let at = startSeq === 0n ? GENESIS : await db.tx(reach, (tx) => sql.findLink(tx, chain, startSeq))
  if (!at) return brokenAt({ seq: startSeq, id: null, reason: 'missing' })
  while (at.seq < end) {
    const last = min(at.seq + BigInt(PAGE_ENTRIES), end)
    const page = await checkPage(db, reach, chain, at, last)
    if ('reason' in page) return brokenAt(page)
    at = page
  }
  if (at.seq < head.seq) return { ...ended(at.seq), stoppedAt: at.seq }
  if (at.seq === head.seq && at.hash !== head.hash)
    return brokenAt({ seq: at.seq, id: at.id, reason: 'edited' })
  const unexpected = await db.tx(reach, (tx) => sql.findUnexpected(tx, chain))
  return unexpected ? ended(at.seq, unexpected) : ended(at.seq)
}

/** The last entry of a page in which all is right, or the first fault. */
function checkPage(
  db: Db,
  reach: TenantScope,
  chain: string,
  from: sql.Link,
  last: bigint,
): Promise<sql.Link | sql.Fault> {
  return db.tx(reach, async (tx) => {
    const fault = await sql.findFault(tx, chain, from, last)
    if (fault) return fault
    const link = await sql.findLink(tx, chain, last)
    if (link) return link
    const before = await sql.findLastLink(tx, chain, last)
    return { seq: (before?.seq ?? 0n) + 1n, id: null, reason: 'missing' as const }
  })
}

function toVerdict({ chain, entries, broken, stoppedAt }: Walk, unproven: UnprovenChain[] = []): Verdict {
  return {
    ok: broken === null && unproven.length === 0,
    entries,
    head: null,
    anchor: null,
    broken: broken && { ...broken, orgId: orgOf(chain) },
    unproven,
    nextCursor: stoppedAt === null ? null : encodeCursor([chain, stoppedAt]),
  }
}

const orgOf = (chain: string): string | null => (chain === 'platform' ? null : chain)

function readCursor(cursor: string | undefined): { chain: string; seq: bigint } {
  const [chain = '', seq = '0'] = decodeCursor(cursor, 2) ?? []
  if (!/^\d{1,18}$/.test(seq)) throw invalidCursor()
  return { chain, seq: BigInt(seq) }
}

const invalidCursor = () =>
  invalidFields({ path: 'cursor', message: 'is not a cursor of this walk; start without one' })
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
