// The hashes of a Merkle tree as in RFC 6962.
import { createHash } from 'node:crypto'

export const HASH_BYTES = 32

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

export const EMPTY_ROOT = sha256('')
export const leafHash = (leaf: string | Uint8Array): Buffer => sha256(LEAF, leaf)
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(NODE, left, right)
