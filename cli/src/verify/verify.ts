// Verifies the ledger of an organisation, and its place in the transparency log.
import { type LedgerFault, verifyLedger, type Wallet } from './ledger.ts'
import {
  type ChainProof,
  compareCheckpoints,
  isInLog,
  type KnownLog,
  type LogFault,
  openCheckpoint,
  type PublishedHead,
  parseLeaf,
} from './log.ts'
import { type Checkpoint, originOfKey, parseCheckpoint } from './note.ts'
import type { ReadTile } from './tiles.ts'

export type Evidence = {
  readonly orgId: string
  readonly wallet: Wallet
  readonly postings: Iterable<unknown> | AsyncIterable<unknown>
  /** Null if the wallet has no entry in the log. */
  readonly proof: ChainProof | null
  /** Whether the service publishes no log at all. */
  readonly isLogOff: boolean
  /** Whether the evidence was read now. An export can be older than what this computer knows. */
  readonly isLive: boolean
}

export type Trust = {
  /** The key that the user requires. */
  readonly key: string | null
  /** A checkpoint from another source. */
  readonly checkpoint: string | null
  readonly known: KnownLog | null
  readonly readTile: ReadTile
}

export type Fault = LedgerFault | LogFault
export type Verdict = {
  readonly ok: boolean
  readonly faults: readonly Fault[]
  readonly postings: number
  readonly openHolds: number
  readonly log: VerifiedLog | null
}
export type VerifiedLog = {
  readonly origin: string
  readonly size: number
  readonly index: number
  readonly head: PublishedHead
  /** Whether the key was not known before, so that nothing vouches for it. */
  readonly isKeyNew: boolean
  /** Remember this for the next time. */
  readonly known: KnownLog
}

export async function verify(evidence: Evidence, trust: Trust): Promise<Verdict> {
  const { orgId, wallet, postings, proof } = evidence
  const published = proof && parseLeaf(proof.leaf, proof.name)
  const seen = headSeen(evidence, trust)
  const heads = [published, seen].filter((head) => head !== null)
  const ledger = await verifyLedger(
    orgId,
    wallet,
    postings,
    heads.map(({ seq }) => seq),
  )
  const log = proof && (await verifyLog(evidence, proof, trust))
  const faults: Fault[] = ledger.fault ? [ledger.fault] : []
  if (log && 'code' in log) faults.push(log)
  // After a fault of the ledger, later postings were not read.
  else if (!ledger.fault) {
    const contradictions = heads.map((head) =>
      contradictionOf(head, ledger.hashes.get(head.seq), ledger.postings),
    )
    const contradiction = contradictions.find((fault) => fault !== null)
    if (contradiction) faults.push(contradiction)
  }
  if (evidence.isLive && !evidence.isLogOff && seen && (published?.seq ?? 0) < seen.seq)
    faults.push({
      code: 'not_in_log',
      message: `The log had posting ${seen.seq} of this wallet, published at ${seen.at}, and the service no longer shows it.`,
    })
  if (evidence.isLogOff && trust.known)
    faults.push({ code: 'log_shrank', message: 'The service no longer publishes its log.' })
  if (!proof && trust.checkpoint !== null)
    faults.push({ code: 'not_in_log', message: 'There is no proof that the ledger is in the log.' })
  return {
    ok: faults.length === 0,
    faults,
    postings: ledger.postings,
    openHolds: ledger.openHolds,
    log: log && 'code' in log ? null : log,
  }
}

/**
 * The newest published head that this computer has seen. Without it, a service that rewrote a ledger could show an older
 * entry of the log, or none. An export may be older than it.
 */
function headSeen({ orgId, wallet, isLive }: Evidence, { key, known }: Trust): PublishedHead | null {
  // With an explicit key, another log is accepted, which has its own entries.
  if (!known || (key !== null && originOfKey(key) !== originOfKey(known.key))) return null
  const seen = Object.entries(known.heads ?? {}).find(([org]) => org === orgId)?.[1] ?? null
  return seen && (isLive || seen.seq <= wallet.head.seq) ? seen : null
}

function contradictionOf(
  { seq, hash, at }: PublishedHead,
  found: string | undefined,
  postings: number,
): Fault | null {
  if (found === hash) return null
  if (found === undefined)
    return {
      code: 'removed',
      seq: postings + 1,
      message: `Posting ${postings + 1} is missing: the log has the head of posting ${seq}, published at ${at}.`,
    }
  return {
    code: 'log_contradicts',
    message: `Posting ${seq} is not the one that was published at ${at}: it or an earlier one was rewritten.`,
  }
}

async function verifyLog(
  { orgId, isLive }: Evidence,
  proof: ChainProof,
  { key, checkpoint: given, known, readTile }: Trust,
): Promise<VerifiedLog | LogFault> {
  const opened = openCheckpoint(proof.checkpoint, key ?? known?.key ?? proof.publicKey, proof.publicKey)
  if ('code' in opened) return opened
  const { checkpoint } = opened
  const { origin, size } = checkpoint
  const head = parseLeaf(proof.leaf, proof.name)
  if (!head || !isInLog(proof, checkpoint))
    return { code: 'not_in_log', message: 'The entry of the wallet is not in the signed log.' }
  // With an explicit key, a new log is accepted and not compared with the previous one.
  const remembered = known && parseCheckpoint(known.checkpoint)
  const last = remembered?.origin === origin ? remembered : null
  if (isLive && last && size < last.size) return shrank(last, checkpoint)
  const others: Checkpoint[] = last ? [last] : []
  if (given !== null) {
    const other = openCheckpoint(given, key ?? known?.key ?? proof.publicKey, proof.publicKey)
    if ('code' in other) return other
    others.push(other.checkpoint)
  }
  for (const other of others) {
    const fault = await compareCheckpoints(other, checkpoint, readTile)
    // Without a network, an export is compared with what is at hand.
    const isOptional = fault?.code === 'log_unreachable' && !isLive && other === last
    if (fault && !isOptional) return fault
  }
  const newest = last && last.size > size ? last : checkpoint
  const heads = last ? known?.heads : {}
  const seen = Object.entries(heads ?? {}).find(([org]) => org === orgId)?.[1]
  return {
    origin,
    size,
    index: proof.index,
    head,
    isKeyNew: key === null && known === null,
    known: {
      key: opened.key,
      checkpoint: newest.note,
      heads: { ...heads, [orgId]: seen && seen.seq > head.seq ? seen : head },
    },
  }
}

const shrank = (last: Checkpoint, now: Checkpoint): LogFault => ({
  code: 'log_shrank',
  message: `The log had ${last.size} entries, and has ${now.size} now. An append-only log never becomes shorter.`,
  checkpoints: [last.note, now.note],
})
