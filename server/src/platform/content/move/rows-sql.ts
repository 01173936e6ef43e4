// Reads and writes content rows during a move. Rows are transferred in PostgreSQL's text form, which is exact for every type, also
// for model-written json that jsonb would reject.
import type { OrgId } from '../../../kernel/ids.ts'
import type { Statements as Tx } from '../../db/pool.ts'
import { quoteIdentifier } from '../../db/pool.ts'
import type { ContentTable, TableColumn } from '../content-tables.ts'

/** The values of a primary key as texts, in column order. */
export type RowKey = readonly string[]
export type SizedRowKey = { readonly key: RowKey; readonly sizeBytes: number }
export type RowChange = { readonly seq: string; readonly table: string; readonly key: RowKey }

/**
 * Opens a cursor over the keys of an organisation's rows after `after`, in an order that is the same in all databases. The size of
 * a row is its size on disk.
 */
export async function openKeys(
  tx: Tx,
  schema: string,
  table: ContentTable,
  org: OrgId,
  after: RowKey | null,
): Promise<void> {
  const size = table.columns
    .map(({ name }) => `coalesce(pg_column_size(${quoteIdentifier(name)}), 0)`)
    .join(' + ')
  const later = after
    ? `and (${inOrder(table.key)}) > (${after.map((value, n) => castTo(table.key[n], literal(value))).join(', ')})`
    : ''
  await tx.unsafe(`
    declare content_keys no scroll cursor for
    select ${keyTexts(table)} as key,
      (${size})::int as "sizeBytes"
    from ${tableIn(schema, table)} where org_id = ${literal(org)} ${later} order by ${inOrder(table.key)}`)
}

export async function nextKeys(tx: Tx, limit: number): Promise<SizedRowKey[]> {
  return tx.unsafe<SizedRowKey>(`fetch ${limit} from content_keys`)
}

export async function closeKeys(tx: Tx): Promise<void> {
  await tx.unsafe('close content_keys')
}

/** The last key in the order of `openKeys`; null without rows. */
export async function lastKey(
  tx: Tx,
  schema: string,
  table: ContentTable,
  org: OrgId,
): Promise<RowKey | null> {
  const [row] = await tx.unsafe<{ key: RowKey }>(
    `select ${keyTexts(table)} as key
     from ${tableIn(schema, table)} where org_id = $1 order by ${inOrder(table.key, 'desc')} limit 1`,
    [org],
  )
  return row?.key ?? null
}

/** The existing rows with these keys, as texts. */
export async function readRows(
  tx: Tx,
  schema: string,
  table: ContentTable,
  org: OrgId,
  keys: readonly RowKey[],
): Promise<string[]> {
  const fields = table.columns.map(({ name, isComputed }) =>
    isComputed ? 'null' : `t.${quoteIdentifier(name)}`,
  )
  const rows = await tx.unsafe<{ row: string }>(
    `select row(${fields.join(', ')})::text as row from ${tableIn(schema, table)} t
     join ${keyListSql(table)} on ${hasKey(table)} where t.org_id = $${table.key.length + 1}`,
    [...keyParameters(table, keys), org],
  )
  return rows.map(({ row }) => row)
}

/** The keys that have a row. */
export async function existingKeys(
  tx: Tx,
  schema: string,
  table: ContentTable,
  org: OrgId,
  keys: readonly RowKey[],
): Promise<RowKey[]> {
  const rows = await tx.unsafe<{ key: RowKey }>(
    `select ${keyTexts(table, 't.')} as key from ${tableIn(schema, table)} t
     join ${keyListSql(table)} on ${hasKey(table)} where t.org_id = $${table.key.length + 1}`,
    [...keyParameters(table, keys), org],
  )
  return rows.map(({ key }) => key)
}

/** Adds missing rows. Skips a row whose parent is missing or that conflicts with another. */
export async function addRows(
  tx: Tx,
  schema: string,
  table: ContentTable,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return
  const parents = table.parents.map(({ table: parent, columns, parentColumns }) => {
    const same = columns.map(
      (name, n) => `p.${quoteIdentifier(parentColumns[n] ?? '')} = (g.r).${quoteIdentifier(name)}`,
    )
    const isNull = columns.map((name) => `(g.r).${quoteIdentifier(name)} is null`)
    return `(${isNull.join(' or ')} or exists (select from ${quoteIdentifier(schema)}.${quoteIdentifier(parent)} p where ${same.join(' and ')}))`
  })
  await tx.unsafe(
    `${insertRowsSql(schema, table)} where ${['true', ...parents].join(' and ')} on conflict do nothing`,
    [rows],
  )
}

/** Inserts or overwrites rows. */
export async function putRows(
  tx: Tx,
  schema: string,
  table: ContentTable,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return
  const key = table.key.map(({ name }) => quoteIdentifier(name)).join(', ')
  const changes = writable(table).map(
    (name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`,
  )
  await tx.unsafe(
    `${insertRowsSql(schema, table)} where true on conflict (${key}) do update set ${changes.join(', ')}`,
    [rows],
  )
}

export async function deleteKeys(
  tx: Tx,
  schema: string,
  table: ContentTable,
  org: OrgId,
  keys: readonly RowKey[],
): Promise<void> {
  if (keys.length === 0) return
  await tx.unsafe(
    `delete from ${tableIn(schema, table)} t using ${keyListSql(table)}
     where ${hasKey(table)} and t.org_id = $${table.key.length + 1}`,
    [...keyParameters(table, keys), org],
  )
}

/** Deletes up to `limit` rows of an organisation and returns their number. */
export async function deleteBatch(
  tx: Tx,
  schema: string,
  table: ContentTable,
  org: OrgId,
  limit: number,
): Promise<number> {
  const name = tableIn(schema, table)
  const deleted = await tx.unsafe(
    `delete from ${name} where ctid = any (array(select ctid from ${name} where org_id = $1 limit $2)) returning 1`,
    [org, limit],
  )
  return deleted.length
}

/** The number of rows of an organisation in each table. */
export async function countRows(
  tx: Tx,
  schema: string,
  tables: readonly ContentTable[],
  org: OrgId,
): Promise<string[]> {
  const counts = tables.map((table) => `(select count(*) from ${tableIn(schema, table)} where org_id = $1)`)
  const [row] = await tx.unsafe<{ counts: string[] }>(
    `select json_build_array(${counts.map((count) => `${count}::text`).join(', ')}) as counts`,
    [org],
  )
  return row?.counts ?? []
}

/** The oldest changes that are not applied yet. */
export function readChanges(tx: Tx, org: OrgId, limit: number) {
  return tx.rows<RowChange>`
    select seq::text, table_name as table, to_json(row_key) as key
    from public.content_changes where org_id = ${org} order by content_changes.seq limit ${limit}`
}

export async function deleteChanges(tx: Tx, org: OrgId, changes: readonly RowChange[]): Promise<void> {
  const seqs = changes.map(({ seq }) => seq)
  await tx.rows`delete from public.content_changes where org_id = ${org} and seq = any (${seqs}::bigint[])`
}

function insertRowsSql(schema: string, table: ContentTable): string {
  const names = writable(table)
  // `offset 0` prevents the planner from parsing every row once per column.
  return `insert into ${tableIn(schema, table)} (${names.map(quoteIdentifier).join(', ')}) overriding system value
    select ${names.map((name) => `(g.r).${quoteIdentifier(name)}`).join(', ')}
    from (select given::${tableIn(schema, table)} as r from unnest($1::text[]) given offset 0) g`
}

function keyListSql({ key }: ContentTable): string {
  return `unnest(${key.map((_, n) => `$${n + 1}::text[]`).join(', ')}) k (${key.map((_, n) => `k${n}`).join(', ')})`
}

const keyTexts = ({ key }: ContentTable, of = ''): string =>
  `json_build_array(${key.map(({ name }) => `${of}${quoteIdentifier(name)}::text`).join(', ')})`

const hasKey = ({ key }: ContentTable): string =>
  key.map((column, n) => `t.${quoteIdentifier(column.name)} = ${castTo(column, `k.k${n}`)}`).join(' and ')

const keyParameters = ({ key }: ContentTable, keys: readonly RowKey[]) =>
  key.map((_, n) => keys.map((values) => values[n] ?? null))

/** Databases may have different collations, so texts are compared bytewise. */
const inOrder = (key: readonly TableColumn[], direction = ''): string =>
  key
    .map(({ name, type }) =>
      `${quoteIdentifier(name)}${type === 'text' ? ' collate "C"' : ''} ${direction}`.trim(),
    )
    .join(', ')

const castTo = (column: TableColumn | undefined, value: string): string =>
  `${value}::${column?.type ?? 'text'}`

const writable = ({ columns }: ContentTable): string[] =>
  columns.filter(({ isComputed }) => !isComputed).map(({ name }) => name)

const tableIn = (schema: string, { name }: ContentTable): string =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
