// Verifies chains: every entry must be the one that was written.
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Db, TenantScope } from '../../platform/db/tx.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/page.ts'
import * as sql from './verify-sql.ts'

/** The anchor of a chain outside the database. */
export type AnchorState = {
  /** `lost`: an anchor existed and is gone. `unreadable`: its seal does not open, or the storage fails. */
  state: 'none' | 'kept' | 'lost' | 'unreadable'
  seq: bigint | null
  hash: string | null
  at: Date | null
}
/** The anchor and the anchor row. The chain must contain both entries. */
export type ChainEvidence = { anchor: AnchorState; anchorRow: { seq: bigint; hash: string } | null }
export type ReadEvidence = (scope: TenantScope, chain: string) => Promise<ChainEvidence>
/** A chain whose anchor is gone. It may be valid, but only the database confirms it. */
export type UnprovenChain = { orgId: string | null; state: 'lost' | 'unreadable' }

export type Verdict = {
  /** Nothing is broken or unproven. */
  ok: boolean
  /** Number of valid entries. */
  entries: number
  /** The head of the chain. Clients can store it: a later chain must still contain it. */
  head: { seq: bigint; hash: string } | null
  /** The anchor of the chain; null until the end is reached. */
  anchor: AnchorState | null
  broken: { seq: bigint; id: string | null; reason: sql.Reason; orgId: string | null } | null
  /** The first checked chains whose anchor is gone. */
  unproven: UnprovenChain[]
  /** Continues when one call was not enough. `ok` covers only the checked part. */
  nextCursor: string | null
}

const PAGE_ENTRIES = 5_000
const CALL_ENTRIES_MAX = 500_000
const CALL_CHAINS_MAX = 2_000
const CHAINS_PAGE = 200
const UNPROVEN_NAMED = 20
const GENESIS: sql.Link = { seq: 0n, id: null, hash: '0'.repeat(64) }

/** Verifies the chain of one organisation, one transaction per page, and compares its end with the anchor. */
export async function verifyChain(
  db: Db,
  orgId: OrgId,
  cursor?: string,
  readEvidence: ReadEvidence = noEvidence,
): Promise<Verdict> {
  const start = readCursor(cursor)
  const head = (await db.tx(orgId, (tx) => sql.findHead(tx, orgId))) ?? { chain: orgId, ...GENESIS }
  const walk = await checkChain(db, orgId, head, start.seq, CALL_ENTRIES_MAX, readEvidence)
  const { anchor } = walk
  return {
    ...toVerdict(walk, walk.unproven),
    anchor,
    head: head.seq === 0n ? null : { seq: head.seq, hash: head.hash },
  }
}

/**
 * Verifies every chain including the platform chain, up to a limit per call. Stops at the first broken chain. Unproven
 * chains are reported, and the verification continues.
 */
export async function verifyAll(
  db: Db,
  cursor?: string,
  readEvidence: ReadEvidence = noEvidence,
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
  // Each round reads the chains after the last one, so the loop terminates.
  for (
    let heads = resumed ? [resumed] : await headsAfter(db, last);
    heads.length > 0;
    heads = await headsAfter(db, last)
  ) {
    for (const head of heads) {
      const from = head === resumed ? start.seq : 0n
      const walk = await checkChain(db, 'platform', head, from, CALL_ENTRIES_MAX - entries, readEvidence)
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

/** Verifies a chain and compares it with its anchor, because a valid chain may be truncated or rewritten. */
async function checkChain(
  db: Db,
  scope: TenantScope,
  head: sql.Head,
  startSeq: bigint,
  entriesMax: number,
  readEvidence: ReadEvidence,
): Promise<Walk & { anchor: AnchorState | null; unproven: UnprovenChain[] }> {
  const walk = await walkChain(db, scope, head, startSeq, entriesMax)
  if (walk.broken || walk.stoppedAt !== null) return { ...walk, anchor: null, unproven: [] }
  const { anchor, anchorRow } = await readEvidence(scope, head.chain)
  const { state, seq, hash } = anchor
  const anchorPoint = seq === null || hash === null ? null : { seq, hash }
  const fault = await db.tx(scope, (tx) => sql.firstFault(tx, head.chain, [anchorPoint, anchorRow]))
  const isLost = anchorRow !== null && (state === 'lost' || state === 'unreadable')
  const unproven = isLost ? [{ orgId: orgOf(head.chain), state }] : []
  return { ...walk, broken: fault ?? null, anchor, unproven }
}

async function walkChain(
  db: Db,
  scope: TenantScope,
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

  let at = startSeq === 0n ? GENESIS : await db.tx(scope, (tx) => sql.findLink(tx, chain, startSeq))
  if (!at) return brokenAt({ seq: startSeq, id: null, reason: 'missing' })
  while (at.seq < end) {
    const last = min(at.seq + BigInt(PAGE_ENTRIES), end)
    const page = await checkPage(db, scope, chain, at, last)
    if ('reason' in page) return brokenAt(page)
    at = page
  }
  if (at.seq < head.seq) return { ...ended(at.seq), stoppedAt: at.seq }
  if (at.seq === head.seq && at.hash !== head.hash)
    return brokenAt({ seq: at.seq, id: at.id, reason: 'edited' })
  const unexpected = await db.tx(scope, (tx) => sql.findUnexpected(tx, chain))
  return unexpected ? ended(at.seq, unexpected) : ended(at.seq)
}

/** The last entry of a valid page, or the first fault. */
function checkPage(
  db: Db,
  scope: TenantScope,
  chain: string,
  from: sql.Link,
  last: bigint,
): Promise<sql.Link | sql.Fault> {
  return db.tx(scope, async (tx) => {
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
  invalidFields({ path: 'cursor', message: 'is not a cursor of this verification; start without one' })
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const VERIFICATIONS_OF_ALL_MAX = 2
const RETRY_AFTER_SECONDS = 10

const running = new WeakMap<App, Map<string, number>>()

/** A verification reads a whole chain, so each process runs one per organisation and two of all chains at a time. */
export async function withVerifyLimit<T>(
  app: App,
  chain: string | 'all',
  verify: () => Promise<T>,
): Promise<T> {
  const counts = running.get(app) ?? new Map<string, number>()
  running.set(app, counts)
  const others = counts.get(chain) ?? 0
  if (others >= (chain === 'all' ? VERIFICATIONS_OF_ALL_MAX : 1))
    throw new ApiError('too_many_attempts', {
      error: 'A verification of this log is already running. Wait until it has finished.',
      retryAfter: RETRY_AFTER_SECONDS,
    })
  counts.set(chain, others + 1)
  try {
    return await verify()
  } finally {
    const left = (counts.get(chain) ?? 1) - 1
    if (left > 0) counts.set(chain, left)
    else counts.delete(chain)
  }
}
