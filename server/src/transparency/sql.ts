// SQL of the transparency log.
import type { ChainHead, ChainKind } from '../platform/chains.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { Tile, TileName } from './tree/tiles.ts'

export type LogState = { size: number; nextAfter: string }
export type LoggedChain = ChainHead & { name: string; entry: number }

/** Locks the log until the transaction ends. */
export async function lockLog(tx: Tx): Promise<LogState> {
  const { size, nextAfter } = await tx.one<{ size: bigint; nextAfter: string }>`
    select size, next_after as "nextAfter" from transparency_log for update`
  return { size: Number(size), nextAfter }
}

export async function saveLog(tx: Tx, { size, nextAfter }: LogState): Promise<void> {
  await tx.rows`update transparency_log set size = ${size}, next_after = ${nextAfter}`
}

export async function readSize(sql: Sql): Promise<number> {
  return Number((await sql.one<{ size: bigint }>`select size from transparency_log`).size)
}

export async function readTiles(sql: Sql, names: readonly TileName[]): Promise<Tile[]> {
  const rows = await sql.rows<{ level: number; tile: bigint; hashes: Uint8Array }>`
    select level, tile, hashes from transparency_tiles
    where (level, tile) in (select level, tile from unnest(
      ${names.map(({ level }) => level)}::int[], ${names.map(({ tile }) => tile)}::bigint[]) as wanted (level, tile))`
  return rows.map(({ level, tile, hashes }) => ({ level, tile: Number(tile), hashes: Buffer.from(hashes) }))
}

export async function saveTiles(tx: Tx, tiles: readonly Tile[]): Promise<void> {
  await tx.rows`
    insert into transparency_tiles (level, tile, hashes)
    select level, tile, hashes from unnest(
      ${tiles.map(({ level }) => level)}::int[], ${tiles.map(({ tile }) => tile)}::bigint[],
      ${tiles.map(({ hashes }) => hashes)}::bytea[]) as grown (level, tile, hashes)
    on conflict (level, tile) do update set hashes = excluded.hashes`
}

export async function insertEntries(tx: Tx, first: number, leaves: readonly string[]): Promise<void> {
  await tx.rows`
    insert into transparency_entries (entry, leaf)
    select ${first}::bigint + n - 1, leaf from unnest(${leaves}::text[]) with ordinality as added (leaf, n)`
}

/** Entries from `first`, in order. */
export async function readLeaves(sql: Sql, first: number, limit: number): Promise<string[]> {
  const rows = await sql.rows<{ leaf: string }>`
    select leaf from transparency_entries where entry >= ${first} and entry < ${first + limit} order by entry`
  return rows.map(({ leaf }) => leaf)
}

export async function readChains(
  tx: Tx,
  kind: ChainKind,
  chains: readonly string[],
): Promise<Map<string, LoggedChain>> {
  const rows = await tx.rows<ChainHead & { name: string; entry: bigint }>`
    select chain, name, seq, hash, entry from transparency_chains
    where kind = ${kind} and chain = any (${chains}::text[])`
  return new Map(rows.map((row) => [row.chain, { ...row, entry: Number(row.entry) }]))
}

export async function saveChains(tx: Tx, kind: ChainKind, chains: readonly LoggedChain[]): Promise<void> {
  await tx.rows`
    insert into transparency_chains (kind, chain, name, seq, hash, entry)
    select ${kind}, chain, name, seq, hash, entry from unnest(
      ${chains.map(({ chain }) => chain)}::text[], ${chains.map(({ name }) => name)}::text[],
      ${chains.map(({ seq }) => seq)}::bigint[], ${chains.map(({ hash }) => hash)}::text[],
      ${chains.map(({ entry }) => entry)}::bigint[]) as logged (chain, name, seq, hash, entry)
    on conflict (kind, chain) do update set seq = excluded.seq, hash = excluded.hash, entry = excluded.entry`
}
