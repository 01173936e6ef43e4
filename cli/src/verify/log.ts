// Verifies that a head is in the signed log, and that the log continues every checkpoint that was seen before.
import { consistencyProof, EMPTY_ROOT, isConsistent, isIncluded, leafHash, treeRoot } from './merkle.ts'
import { type Checkpoint, isSignedBy, originOfKey, parseCheckpoint } from './note.ts'
import { nodesOf, type ReadTile } from './tiles.ts'

/** The reply of GET /wallet/proof/transparency, also in the data export. */
export type ChainProof = {
  readonly name: string
  readonly index: number
  readonly leaf: string
  readonly inclusion: readonly string[]
  readonly checkpoint: string
  readonly publicKey: string
}

/** The log as this computer knows it: its key, the newest checkpoint, and the newest head of each organisation. */
export type KnownLog = {
  readonly key: string
  readonly checkpoint: string
  readonly heads?: Readonly<Record<string, PublishedHead>>
}

export type LogFault = {
  readonly code:
    | 'log_unsigned'
    | 'log_replaced'
    | 'log_forked'
    | 'log_shrank'
    | 'not_in_log'
    | 'log_contradicts'
    | 'log_unreachable'
    | 'log_unreadable'
  readonly message: string
  /** The signed checkpoints that contradict each other. */
  readonly checkpoints?: readonly string[]
}

export type PublishedHead = { readonly seq: number; readonly hash: string; readonly at: string }

/** The head in the text of an entry of this wallet; null for any other text. */
export function parseLeaf(leaf: string, name: string): PublishedHead | null {
  const [, named, seq, hash = '', at = ''] =
    /^cowrie-head-1\nwallet\n([0-9a-f]{64})\n(\d{1,15})\n([0-9a-f]{64})\n([\d:.TZ-]{24})\n$/.exec(leaf) ?? []
  return named === undefined || named !== name ? null : { seq: Number(seq), hash, at }
}

/** Whether the entry is in the tree of its checkpoint. */
export function isInLog(proof: ChainProof, checkpoint: Checkpoint): boolean {
  const siblings = proof.inclusion.map((hash) => Buffer.from(hash, 'hex'))
  return isIncluded(leafHash(proof.leaf), proof.index, checkpoint, siblings)
}

/**
 * Reads a checkpoint and checks its signature. `trusted` is the key that must have signed it, `offered` the key that came
 * with it. While a key is replaced both sign, and the offered one is trusted from then on.
 */
export function openCheckpoint(
  note: string,
  trusted: string,
  offered: string,
): { checkpoint: Checkpoint; key: string } | LogFault {
  const checkpoint = parseCheckpoint(note)
  if (!checkpoint) return { code: 'log_unsigned', message: 'The checkpoint of the log cannot be read.' }
  if (checkpoint.origin !== originOfKey(trusted))
    return {
      code: 'log_replaced',
      message: `The log is named ${checkpoint.origin}, and the known key is for ${originOfKey(trusted)}.`,
    }
  if (!isSignedBy(checkpoint, trusted))
    return { code: 'log_unsigned', message: 'The checkpoint of the log is not signed with the known key.' }
  return { checkpoint, key: isSignedBy(checkpoint, offered) ? offered : trusted }
}

/** Whether two signed checkpoints belong to one log that only grew. Reads tiles if their sizes differ. */
export async function compareCheckpoints(
  one: Checkpoint,
  other: Checkpoint,
  read: ReadTile,
): Promise<LogFault | null> {
  const [older, newer] = one.size <= other.size ? [one, other] : [other, one]
  const sizes = `size ${older.size} and size ${newer.size} were not compared`
  const found = await readGrowth(older, newer, read)
  if (found === null)
    return { code: 'log_unreachable', message: `The tiles of the log cannot be read, so ${sizes}.` }
  const { proof, root } = found
  if (isConsistent(older, newer, proof)) return null
  // Tiles are not signed. Only tiles that lead to the newer signed root show another past than the older signed root.
  if (older.size < newer.size && !isConsistent({ size: older.size, root }, newer, proof))
    return {
      code: 'log_unreadable',
      message: `The tiles of the log do not lead to its signed root, so ${sizes}. A proxy may have changed them: try another network.`,
    }
  return {
    code: 'log_forked',
    message: `The log has two versions: its tree of size ${newer.size} does not continue the signed tree of size ${older.size}.`,
    checkpoints: [older.note, newer.note],
  }
}

/** The consistency proof, and the root of the older size, both computed from tiles. Null if these cannot be read. */
async function readGrowth(
  older: Checkpoint,
  newer: Checkpoint,
  read: ReadTile,
): Promise<{ proof: Uint8Array[]; root: Buffer } | null> {
  const node = nodesOf(read, newer.size)
  try {
    const proof = await consistencyProof(node, older.size, newer.size)
    const isRead = older.size > 0 && older.size < newer.size
    return { proof, root: isRead ? Buffer.from(await treeRoot(node, older.size)) : EMPTY_ROOT }
  } catch {
    return null
  }
}
