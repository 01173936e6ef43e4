import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { EMPTY_ROOT, leafHash } from './hashes.ts'
import { growTiles, hashesAt, readNodes, TILE_WIDTH, type Tile, tilesFor } from './tiles.ts'
import { inclusionProof, treeRoot } from './tree.ts'

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

const ALL = Array.from({ length: 66_000 }, (_, n) => Buffer.from(`leaf ${n}`))
const computed = new Map<string, Buffer>()

/** RFC 6962, section 2.1, word for word, for the leaves from `begin` up to `end`. */
function naiveRoot(begin: number, end: number): Buffer {
  const known = computed.get(`${begin} ${end}`)
  if (known) return known
  const k = 2 ** (Math.ceil(Math.log2(end - begin)) - 1)
  const root =
    end - begin === 1
      ? sha256(Buffer.of(0), ALL[begin] as Buffer)
      : sha256(Buffer.of(1), naiveRoot(begin, begin + k), naiveRoot(begin + k, end))
  computed.set(`${begin} ${end}`, root)
  return root
}

function naivePath(index: number, begin: number, end: number): Buffer[] {
  if (end - begin === 1) return []
  const middle = begin + 2 ** (Math.ceil(Math.log2(end - begin)) - 1)
  return index < middle
    ? [...naivePath(index, begin, middle), naiveRoot(middle, end)]
    : [...naivePath(index, middle, end), naiveRoot(begin, middle)]
}

/** Stores tiles as the database does. */
class TileStore {
  readonly tiles = new Map<string, Tile>()
  size = 0

  append(leaves: readonly Buffer[]): void {
    const grown = growTiles(this.size, this.read(tilesFor(this.size, null)), leaves.map(leafHash))
    for (const tile of grown) {
      const before = this.tiles.get(nameOf(tile))?.hashes ?? Buffer.alloc(0)
      expect(tile.hashes.subarray(0, before.length)).toEqual(before)
      this.tiles.set(nameOf(tile), tile)
    }
    this.size += leaves.length
  }

  read(names: readonly { level: number; tile: number }[]): Tile[] {
    return names.flatMap((name) => this.tiles.get(nameOf(name)) ?? [])
  }
}

const nameOf = ({ level, tile }: { level: number; tile: number }) => `${level}/${tile}`
/** The inputs of the reference implementation of Certificate Transparency. */
const REFERENCE = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'))
const REFERENCE_ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

describe('the tree', () => {
  test('has the roots of the Certificate Transparency test vectors', () => {
    const store = new TileStore()
    expect(EMPTY_ROOT.toString('hex')).toBe(REFERENCE_ROOTS[0])
    const roots = REFERENCE.map((leaf) => {
      store.append([leaf])
      return treeRoot(readNodes(store.read(tilesFor(store.size, null))), store.size).toString('hex')
    })
    expect(roots).toEqual(REFERENCE_ROOTS.slice(1))
  })

  test('has the inclusion proofs of the Certificate Transparency test vectors', () => {
    const store = new TileStore()
    store.append(REFERENCE)
    const proof = (index: number, size: number) =>
      inclusionProof(readNodes(store.read(tilesFor(size, index))), index, size).map((each) =>
        each.toString('hex'),
      )
    expect(proof(0, 1)).toEqual([])
    expect(proof(0, 8)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ])
    expect(proof(2, 3)).toEqual(['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'])
  })

  test('of every size up to 300 agrees with a naive computation, also in its inclusion proofs', () => {
    const store = new TileStore()
    for (let size = 1; size <= 300; size++) {
      store.append(ALL.slice(size - 1, size))
      expect(treeRoot(readNodes(store.read(tilesFor(size, null))), size)).toEqual(naiveRoot(0, size))
      for (const index of new Set([0, size >> 1, size - 1, 255, 256].filter((n) => n < size)))
        expect(inclusionProof(readNodes(store.read(tilesFor(size, index))), index, size)).toEqual(
          naivePath(index, 0, size),
        )
    }
  })

  test('grows in batches over several levels of tiles', () => {
    const store = new TileStore()
    for (const batch of [1, 254, 1, 1, 600, 64_679, 1, 463])
      store.append(ALL.slice(store.size, store.size + batch))
    expect(store.size).toBe(ALL.length)
    expect([0, 1, 2].map((level) => hashesAt(store.size, level))).toEqual([66_000, 257, 1])
    for (const size of [255, 256, 257, 65_535, 65_536, 65_537, 66_000]) {
      const node = (index: number | null) => readNodes(store.read(tilesFor(size, index)))
      expect(treeRoot(node(null), size)).toEqual(naiveRoot(0, size))
      const index = size - (size % 97) - 1
      expect(inclusionProof(node(index), index, size)).toEqual(naivePath(index, 0, size))
    }
    const widths = [...store.tiles.values()].map(({ hashes }) => hashes.length / 32)
    expect(widths.filter((width) => width < TILE_WIDTH)).toHaveLength(3)
  })
})
