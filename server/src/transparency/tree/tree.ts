// Roots and inclusion proofs of the first `size` leaves (RFC 6962, section 2.1).
import { EMPTY_ROOT, nodeHash } from './hashes.ts'

/** The hash of the complete subtree of 2^level leaves with this number. */
export type NodeReader = (level: number, index: number) => Buffer

export const treeRoot = (node: NodeReader, size: number): Buffer =>
  size === 0 ? EMPTY_ROOT : rangeHash(node, 0, size)

/** The hashes beside the way from a leaf to the root, the lowest first. */
export function inclusionProof(node: NodeReader, index: number, size: number): Buffer[] {
  const proof: Buffer[] = []
  let [begin, end] = [0, size]
  while (end - begin > 1) {
    const middle = begin + largestPowerBelow(end - begin)
    if (index < middle) {
      proof.push(rangeHash(node, middle, end))
      end = middle
    } else {
      proof.push(rangeHash(node, begin, middle))
      begin = middle
    }
  }
  return proof.reverse()
}

/** The hash of the leaves from `begin` up to `end`, which is a subtree of the tree. */
function rangeHash(node: NodeReader, begin: number, end: number): Buffer {
  const width = end - begin
  if (width === 1) return node(0, begin)
  const half = largestPowerBelow(width)
  if (width === 2 * half) return node(Math.log2(width), begin / width)
  return nodeHash(rangeHash(node, begin, begin + half), rangeHash(node, begin + half, end))
}

/** The largest power of two below a width of at least 2. */
function largestPowerBelow(width: number): number {
  let power = 1
  while (power * 2 < width) power *= 2
  return power
}
