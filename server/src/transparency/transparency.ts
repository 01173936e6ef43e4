// The public API of the transparency log: its checkpoint, its tiles, and the proof of a chain.
import { present } from '../kernel/assert.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { ChainKind } from '../platform/chains.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type LogIdentity, logIdentity, signCheckpoint, verifierKey } from './checkpoint.ts'
import { deriveName } from './leaf.ts'
import * as sql from './sql.ts'
import { HASH_BYTES } from './tree/hashes.ts'
import { hashesAt, readNodes, TILE_WIDTH, tilesFor } from './tree/tiles.ts'
import { inclusionProof, treeRoot } from './tree/tree.ts'

export type Checkpoint = { origin: string; publicKey: string; size: number; root: string; checkpoint: string }

export async function readCheckpoint(app: App): Promise<Checkpoint> {
  const identity = requireLog(app)
  const size = await sql.readSize(app.db.direct)
  const root = treeRoot(readNodes(await sql.readTiles(app.db.direct, tilesFor(size, null))), size)
  const { origin } = identity
  const checkpoint = signCheckpoint(identity, size, root)
  return { origin, publicKey: verifierKey(identity), size, root: root.toString('hex'), checkpoint }
}

/** The name of a chain in the log. Null where the log is off. */
export async function chainName(app: App, tx: Tx, kind: ChainKind, org: OrgId): Promise<string | null> {
  if (logIdentity(app) === null) return null
  return (await sql.readChains(tx, kind, [org])).get(org)?.name ?? deriveName(app, kind, org)
}

export type ChainProof = {
  readonly name: string
  readonly entry: { readonly seq: bigint; readonly hash: string }
  readonly index: number
  readonly leaf: string
  readonly inclusion: readonly string[]
  readonly checkpoint: string
  readonly publicKey: string
}

/** The newest entry of a chain, with the proof that the signed tree includes it. Null without an entry. */
export async function proveChain(app: App, tx: Tx, kind: ChainKind, org: OrgId): Promise<ChainProof | null> {
  const identity = logIdentity(app)
  const chain = identity && (await sql.readChains(tx, kind, [org])).get(org)
  if (!identity || !chain) return null
  const { name, seq, hash, entry: index } = chain
  const size = await sql.readSize(tx)
  const node = readNodes(await sql.readTiles(tx, tilesFor(size, index)))
  const [leaf = ''] = await sql.readLeaves(tx, index, 1)
  return {
    name,
    entry: { seq, hash },
    index,
    leaf,
    inclusion: inclusionProof(node, index, size).map((each) => each.toString('hex')),
    checkpoint: signCheckpoint(identity, size, treeRoot(node, size)),
    publicKey: verifierKey(identity),
  }
}

type TilePath = { readonly level: number | 'entries'; readonly tile: number; readonly width: number }

/** The first `width` hashes or entries of a tile. Every published width stays readable. */
export async function readTile(app: App, path: string): Promise<Buffer> {
  requireLog(app)
  const { direct } = app.db
  const { level, tile, width } = parseTilePath(path)
  const published = hashesAt(await sql.readSize(direct), level === 'entries' ? 0 : level)
  if (tile * TILE_WIDTH + width > published) throw noSuchTile()
  if (level === 'entries') return bundle(await sql.readLeaves(direct, tile * TILE_WIDTH, width))
  const [found] = await sql.readTiles(direct, [{ level, tile }])
  return present(found, 'the tiles of a published size exist').hashes.subarray(0, width * HASH_BYTES)
}

/** `0/067`, or `0/x001/x234/067` for 1234067; with `.p/5` the first five of a tile. */
function parseTilePath(path: string): TilePath {
  const [, level = '', thousands = '', rest = '', partial] =
    /^([0-5]|entries)\/((?:x\d{3}\/){0,4})(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? []
  const width = Number(partial ?? TILE_WIDTH)
  const isCanonical = !thousands.startsWith('x000') && (partial === undefined || width < TILE_WIDTH)
  if (rest === '' || !isCanonical) throw noSuchTile()
  return {
    level: level === 'entries' ? level : Number(level),
    tile: Number(`${thousands.replaceAll(/[x/]/g, '')}${rest}`),
    width,
  }
}

/** Entries as in c2sp.org/tlog-tiles: each after its length in two bytes. */
function bundle(leaves: readonly string[]): Buffer {
  return Buffer.concat(
    leaves.flatMap((leaf) => {
      const bytes = Buffer.from(leaf)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(bytes.length)
      return [length, bytes]
    }),
  )
}

export function requireLog(app: App): LogIdentity {
  const identity = logIdentity(app)
  if (identity === null)
    throw new ApiError('not_found', { error: 'This service does not publish a transparency log.' })
  return identity
}

const noSuchTile = (): ApiError =>
  new ApiError('not_found', {
    error: 'The transparency log has no such tile. GET /transparency/checkpoint shows its size.',
  })
