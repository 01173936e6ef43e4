// Reads the nodes of a log from its static tiles (c2sp.org/tlog-tiles).
import { nodeHash, type ReadNode } from './merkle.ts'

const WIDTH = 256
const LEVELS = 8
const BYTES = 32

/** `path` is relative to the tiles of the log. */
export type ReadTile = (path: string) => Promise<Uint8Array>

/** The nodes of the tree of this size. Hashes are not trusted: the proof that uses them ends in a signed root. */
export function nodesOf(read: ReadTile, size: number): ReadNode {
  const tiles = new Map<string, Promise<Uint8Array>>()
  return async (level, index) => {
    const tileLevel = Math.floor(level / LEVELS)
    const width = 2 ** (level % LEVELS)
    const tile = Math.floor((index * width) / WIDTH)
    const path = tilePath(tileLevel, tile, Math.floor(size / WIDTH ** tileLevel) - tile * WIDTH)
    const bytes = tiles.get(path) ?? read(path)
    tiles.set(path, bytes)
    return subtreeHash(await bytes, (index * width) % WIDTH, width)
  }
}

function subtreeHash(hashes: Uint8Array, at: number, width: number): Uint8Array {
  if (width > 1)
    return nodeHash(subtreeHash(hashes, at, width / 2), subtreeHash(hashes, at + width / 2, width / 2))
  return hashes.subarray(at * BYTES, (at + 1) * BYTES)
}

/** `0/x001/x234/067` for tile 1234067 of level 0, with `.p/5` if only five hashes exist. */
export function tilePath(level: number, tile: number, available: number): string {
  const groups = String(tile)
    .padStart(Math.ceil(String(tile).length / 3) * 3, '0')
    .match(/\d{3}/g)
  const number = (groups ?? []).map((group, n, all) => (n < all.length - 1 ? `x${group}` : group)).join('/')
  return `${level}/${number}${available < WIDTH ? `.p/${available}` : ''}`
}
