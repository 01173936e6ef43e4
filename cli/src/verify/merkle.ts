// Proofs of a Merkle tree: inclusion and consistency, as in RFC 6962 and RFC 9162.
import { createHash } from 'node:crypto'

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const EMPTY_ROOT = sha256('')
export const leafHash = (leaf: string): Buffer => sha256(Uint8Array.of(0), leaf)
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Uint8Array.of(1), left, right)

// Sizes exceed 32 bits, so no bit operations.
const half = (value: number): number => Math.floor(value / 2)
const isOdd = (value: number): boolean => value % 2 === 1

/** Whether the leaf with this number is in the tree of this size and root (RFC 9162, section 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  { size, root }: Tree,
  proof: readonly Uint8Array[],
): boolean {
  if (index < 0 || index >= size) return false
  let [node, last] = [index, size - 1]
  let hash: Uint8Array = leaf
  for (const sibling of proof) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash)
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && root.equals(hash)
}

export type Tree = { readonly size: number; readonly root: Buffer }

/** Whether the newer tree has all leaves of the older one, in their places (RFC 9162, section 2.1.4.2). */
export function isConsistent(older: Tree, newer: Tree, proof: readonly Uint8Array[]): boolean {
  if (older.size > newer.size) return false
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root)
  if (older.size === 0) return proof.length === 0 && older.root.equals(EMPTY_ROOT)
  let [node, last] = [older.size - 1, newer.size - 1]
  while (isOdd(node)) [node, last] = [half(node), half(last)]
  const [first, ...rest] = node === 0 ? [older.root, ...proof] : proof
  if (first === undefined) return false
  let olderHash: Uint8Array = first
  let newerHash: Uint8Array = first
  for (const sibling of rest) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      olderHash = nodeHash(sibling, olderHash)
      newerHash = nodeHash(sibling, newerHash)
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else newerHash = nodeHash(newerHash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && older.root.equals(olderHash) && newer.root.equals(newerHash)
}

/** The hash of the complete subtree of 2^level leaves with this number. */
export type ReadNode = (level: number, index: number) => Promise<Uint8Array>

/** The consistency proof between two sizes, from the nodes of the tree (RFC 6962, section 2.1.2). */
export async function consistencyProof(read: ReadNode, older: number, newer: number): Promise<Uint8Array[]> {
  if (older === 0 || older === newer) return []
  const ranges: [begin: number, end: number][] = []
  let [begin, end] = [0, newer]
  while (older !== end) {
    const middle = begin + powerBelow(end - begin)
    if (older <= middle) {
      ranges.push([middle, end])
      end = middle
    } else {
      ranges.push([begin, middle])
      begin = middle
    }
  }
  if (begin !== 0) ranges.push([begin, end])
  return Promise.all(ranges.reverse().map(([from, to]) => rangeHash(read, from, to)))
}

/** The root of the first `size` leaves, which are at least one. */
export const treeRoot = (read: ReadNode, size: number): Promise<Uint8Array> => rangeHash(read, 0, size)

async function rangeHash(read: ReadNode, begin: number, end: number): Promise<Uint8Array> {
  const width = end - begin
  if (width === 1) return read(0, begin)
  const middle = powerBelow(width)
  if (width === 2 * middle) return read(Math.log2(width), begin / width)
  const [left, right] = await Promise.all([
    rangeHash(read, begin, begin + middle),
    rangeHash(read, begin + middle, end),
  ])
  return nodeHash(left, right)
}

/** The largest power of two below a width of at least 2. */
function powerBelow(width: number): number {
  let power = 1
  while (power * 2 < width) power *= 2
  return power
}
