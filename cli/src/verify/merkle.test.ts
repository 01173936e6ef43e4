import { createHash } from 'node:crypto'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { describe, expect, test } from 'vitest'
import {
  consistencyProof,
  EMPTY_ROOT,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  type Tree,
} from './merkle.ts'
import { nodesOf, tilePath } from './tiles.ts'

/** Up to 300 in the soak. Otherwise the small ones, and those around powers of two: 256 is the width of a tile. */
const SIZES = Array.from({ length: 300 }, (_, n) => n + 1).filter(
  (size) => isSoak || size <= 24 || [63, 64, 65, 128, 129, 255, 256, 257, 300].includes(size),
)
const FORKED_MAX = rounds(20, 80)
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leafOf = (n: number) => `leaf ${n}`

/** RFC 6962, section 2.1, word for word. Results are kept, because the ranges repeat. */
const computed = new Map<string, Buffer>()
function naiveRoot(begin: number, end: number, version = ''): Buffer {
  const name = `${version} ${begin} ${end}`
  const known = computed.get(name)
  if (known) return known
  const k = 2 ** (Math.ceil(Math.log2(end - begin)) - 1)
  const root =
    end - begin === 1
      ? sha256(Buffer.of(0), Buffer.from(leafOf(begin) + version))
      : sha256(Buffer.of(1), naiveRoot(begin, begin + k, version), naiveRoot(begin + k, end, version))
  computed.set(name, root)
  return root
}

const treeOf = (size: number): Tree => ({ size, root: size === 0 ? EMPTY_ROOT : naiveRoot(0, size) })

function naiveInclusion(index: number, begin: number, end: number): Buffer[] {
  if (end - begin === 1) return []
  const middle = begin + 2 ** (Math.ceil(Math.log2(end - begin)) - 1)
  return index < middle
    ? [...naiveInclusion(index, begin, middle), naiveRoot(middle, end)]
    : [...naiveInclusion(index, middle, end), naiveRoot(begin, middle)]
}

/** RFC 6962, section 2.1.2, word for word. */
function naiveConsistency(m: number, begin: number, end: number, isWhole: boolean): Buffer[] {
  if (m === end - begin) return isWhole ? [] : [naiveRoot(begin, end)]
  const k = 2 ** (Math.ceil(Math.log2(end - begin)) - 1)
  return m <= k
    ? [...naiveConsistency(m, begin, begin + k, isWhole), naiveRoot(begin + k, end)]
    : [...naiveConsistency(m - k, begin + k, end, false), naiveRoot(begin, begin + k)]
}

/** A tile as the log serves it, from naive hashes. */
async function readTile(path: string): Promise<Uint8Array> {
  const [, level = '', tile = '', width = '256'] = /^(\d)\/(\d{3})(?:\.p\/(\d+))?$/.exec(path) ?? []
  const span = 256 ** Number(level)
  return Buffer.concat(
    Array.from({ length: Number(width) }, (_, n) => {
      const at = (Number(tile) * 256 + n) * span
      return naiveRoot(at, at + span)
    }),
  )
}

const REFERENCE = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]

describe('a proof', () => {
  test('of the Certificate Transparency test vectors is accepted', () => {
    const hex = (text: string) => Buffer.from(text, 'hex')
    const tree = (size: number, root: string): Tree => ({ size, root: hex(root) })
    const eight = tree(8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
    const six = tree(6, '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef')
    const one = tree(1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
    const path = [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ].map(hex)
    const first = sha256(Buffer.of(0), hex(REFERENCE[0] ?? ''))
    expect(isIncluded(first, 0, eight, path)).toBe(true)
    expect(isConsistent(one, eight, path)).toBe(true)
    const fromSix = [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ].map(hex)
    expect(isConsistent(six, eight, fromSix)).toBe(true)
  })

  test('of inclusion is accepted for every leaf of each size, and for no other leaf, place or root', () => {
    const results = new Set<string>()
    for (const size of SIZES)
      for (let index = 0; index < size; index++) {
        const proof = naiveInclusion(index, 0, size)
        const tree = treeOf(size)
        const leaf = leafHash(leafOf(index))
        results.add(`right ${isIncluded(leaf, index, tree, proof)}`)
        if ((size + index) % 7 !== 0) continue
        results.add(`leaf ${isIncluded(leafHash('x'), index, tree, proof)}`)
        results.add(`place ${isIncluded(leaf, index + 1, tree, proof)}`)
        results.add(`root ${isIncluded(leaf, index, { size, root: EMPTY_ROOT }, proof)}`)
        results.add(`longer ${isIncluded(leaf, index, tree, [...proof, leaf])}`)
        if (size > 1) results.add(`shorter ${isIncluded(leaf, index, tree, proof.slice(1))}`)
      }
    expect([...results].sort()).toEqual([
      ...['leaf false', 'longer false', 'place false', 'right true', 'root false', 'shorter false'],
    ])
  })

  test('of consistency is computed from tiles and accepted for each size and its older trees', async () => {
    for (const newer of SIZES) {
      const read = nodesOf(readTile, newer)
      for (let older = newer % 5; older <= newer; older += 5) {
        const proof = await consistencyProof(read, older, newer)
        if (older > 0) expect(proof).toEqual(naiveConsistency(older, 0, newer, true))
        if (!isConsistent(treeOf(older), treeOf(newer), proof)) expect([older, newer]).toBe('consistent')
      }
    }
  })

  test('of consistency is accepted for no forked tree', () => {
    for (let newer = 2; newer <= FORKED_MAX; newer++)
      for (let older = 1; older < newer; older++) {
        const proof = naiveConsistency(older, 0, newer, true)
        expect(isConsistent(treeOf(older), treeOf(newer), proof)).toBe(true)
        const fork = { size: older, root: naiveRoot(0, older, 'x') }
        const accepted = [
          isConsistent(fork, treeOf(newer), proof),
          isConsistent(treeOf(older), { size: newer, root: naiveRoot(0, newer, 'x') }, proof),
          isConsistent(treeOf(older), treeOf(newer), proof.slice(1)),
          isConsistent(treeOf(older), treeOf(newer), [...proof, EMPTY_ROOT]),
          isConsistent(treeOf(newer), treeOf(older), proof),
        ]
        expect(accepted).not.toContain(true)
      }
  })
})

test.for([
  [0, 0, 300, '0/000'],
  [0, 1, 44, '0/001.p/44'],
  [1, 1_234_067, 256, '1/x001/x234/067'],
  [2, 999, 1, '2/999.p/1'],
  [0, 1_000, 256, '0/x001/000'],
] as const)('the address of tile %i/%i with %i hashes is %s', ([level, tile, available, path]) => {
  expect(tilePath(level, tile, available)).toBe(path)
})

test('an inner node differs from a leaf with the same bytes', () => {
  const [a, b] = [leafHash('a'), leafHash('b')]
  expect(nodeHash(a, b)).not.toEqual(leafHash(Buffer.concat([a, b]).toString('latin1')))
})
