// Tiles of hashes as in c2sp.org/tlog-tiles: a tile of level L has up to 256 hashes of complete subtrees of 256^L leaves.
import { assert, present } from '../../kernel/assert.ts'
import { HASH_BYTES, nodeHash } from './hashes.ts'
import type { NodeReader } from './tree.ts'

export const TILE_WIDTH = 256
const LEVELS_PER_TILE = 8
export const TILE_LEVELS = 6

export type TileName = { readonly level: number; readonly tile: number }
export type Tile = TileName & { readonly hashes: Buffer }

/** The number of hashes that a tree of this size has at a level of tiles. */
export const hashesAt = (size: number, level: number): number => Math.floor(size / TILE_WIDTH ** level)

/** The tiles that contain all nodes of the root and of the inclusion proof of a leaf. */
export function tilesFor(size: number, index: number | null): TileName[] {
  const names = new Map<string, TileName>()
  for (let level = 0; level < TILE_LEVELS && hashesAt(size, level) > 0; level++) {
    const last = Math.floor((hashesAt(size, level) - 1) / TILE_WIDTH)
    const own = index === null ? last : Math.min(last, hashesAt(index, level + 1))
    for (const tile of [last, own]) names.set(`${level} ${tile}`, { level, tile })
  }
  return [...names.values()]
}

export function readNodes(tiles: readonly Tile[]): NodeReader {
  const byName = new Map(tiles.map(({ level, tile, hashes }) => [`${level} ${tile}`, hashes]))
  return (level, index) => {
    const tileLevel = Math.min(Math.floor(level / LEVELS_PER_TILE), TILE_LEVELS - 1)
    const width = 2 ** (level - tileLevel * LEVELS_PER_TILE)
    const tile = Math.floor((index * width) / TILE_WIDTH)
    const hashes = present(byName.get(`${tileLevel} ${tile}`), 'the tiles of a proof are read before')
    return subtreeHash(hashes, (index * width) % TILE_WIDTH, width)
  }
}

/** The hash of a complete subtree over `width` hashes of a tile. */
function subtreeHash(hashes: Buffer, at: number, width: number): Buffer {
  if (width > 1)
    return nodeHash(subtreeHash(hashes, at, width / 2), subtreeHash(hashes, at + width / 2, width / 2))
  const hash = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)
  assert(hash.length === HASH_BYTES, 'the tiles of a proof have all of its hashes')
  return hash
}

/** The tiles that change when leaves are appended to a tree. `last` has the last tiles of each level, as far as they exist. */
export function growTiles(size: number, last: readonly Tile[], leaves: readonly Buffer[]): Tile[] {
  const changed: Tile[] = []
  let added = leaves
  for (let level = 0; added.length > 0; level++) {
    assert(level < TILE_LEVELS, 'the log is smaller than 2^48 entries')
    const before = hashesAt(size, level)
    let tile = Math.floor(before / TILE_WIDTH)
    let hashes = last.find((each) => each.level === level && each.tile === tile)?.hashes ?? Buffer.alloc(0)
    hashes = hashes.subarray(0, (before % TILE_WIDTH) * HASH_BYTES)
    const parents: Buffer[] = []
    for (let done = 0; done < added.length; tile++) {
      const room = TILE_WIDTH - hashes.length / HASH_BYTES
      hashes = Buffer.concat([hashes, ...added.slice(done, done + room)])
      done += room
      changed.push({ level, tile, hashes })
      if (hashes.length === TILE_WIDTH * HASH_BYTES) parents.push(subtreeHash(hashes, 0, TILE_WIDTH))
      hashes = Buffer.alloc(0)
    }
    added = parents
  }
  return changed
}
