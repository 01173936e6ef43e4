// Signed checkpoints of a log (c2sp.org/tlog-checkpoint), and the keys that sign them.
import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Tree } from './merkle.ts'

export type Checkpoint = Tree & {
  /** The name of the log. */
  readonly origin: string
  /** The whole note, as it was signed and stored. */
  readonly note: string
}

const ED25519 = 1
/** An Ed25519 key in SPKI form (RFC 8410). The 32 bytes of the key follow. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Null for a text that is no checkpoint. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const [, origin = '', size = '', root = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*\n(?:— [^\n]+\n)+$/.exec(note) ?? []
  if (origin === '' || !Number.isSafeInteger(Number(size))) return null
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), note }
}

/** The log that a key names. */
export const originOfKey = (key: string): string => key.slice(0, Math.max(0, key.search(/\+[0-9a-f]{8}\+/)))

/** Whether the key belongs to this log, and has signed this checkpoint. */
export function isSignedBy({ note, origin }: Checkpoint, key: string): boolean {
  const [, name = '', keyHash = '', encoded = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(key) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  if (name !== origin || bytes[0] !== ED25519 || bytes.length !== 33) return false
  const expected = createHash('sha256').update(`${name}\n`).update(bytes).digest().subarray(0, 4)
  if (expected.toString('hex') !== keyHash) return false
  const spki = Buffer.concat([SPKI_PREFIX, bytes.subarray(1)])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const end = note.lastIndexOf('\n\n')
  const text = Buffer.from(note.slice(0, end + 1))
  return note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line.startsWith(`— ${name} `))
    .map((line) => Buffer.from(line.slice(`— ${name} `.length), 'base64'))
    .some(
      (signature) =>
        signature.subarray(0, 4).equals(expected) && verify(null, text, publicKey, signature.subarray(4)),
    )
}
