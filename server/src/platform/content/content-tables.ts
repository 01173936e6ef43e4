// Reads the content tables from the catalogue of a database.
import { assert } from '../../kernel/assert.ts'
import type { Sql } from '../db/tx.ts'
import type { TableLocation } from './table-location.ts'

export type TableColumn = { readonly name: string; readonly type: string }
export type ParentTable = {
  readonly table: string
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
}
export type ContentTable = {
  readonly name: string
  /** In table order. `isComputed` marks generated columns. */
  readonly columns: readonly (TableColumn & { readonly isComputed: boolean })[]
  readonly key: readonly TableColumn[]
  readonly parents: readonly ParentTable[]
  /** Whether other tables have foreign keys to it, which cascade on delete. */
  readonly isParent: boolean
}

/** The content tables of a schema, parents before children. */
export async function readContentTables({
  sql,
  schema,
}: Pick<TableLocation, 'schema'> & { sql: Sql }): Promise<ContentTable[]> {
  const found = await sql.rows<Omit<ContentTable, 'isParent'>>`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                                         'isComputed', a.attgenerated <> '') order by a.attnum)
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.n)
       from pg_index i cross join unnest(i.indkey::int2[]) with ordinality k (attnum, n)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
       where i.indrelid = c.oid and i.indisprimary) as key,
      coalesce((select json_agg(json_build_object(
          'table', (select relname from pg_class where oid = f.confrelid),
          'columns', (select json_agg(a.attname order by k.n) from unnest(f.conkey) with ordinality k (attnum, n)
                      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum),
          'parentColumns', (select json_agg(a.attname order by k.n) from unnest(f.confkey) with ordinality k (attnum, n)
                            join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.attnum)))
       from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'), '[]') as parents
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r'
      and exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'content_captured')
    order by c.relname`
  return parentsFirst(found)
}

function parentsFirst(found: readonly Omit<ContentTable, 'isParent'>[]): ContentTable[] {
  const ordered: ContentTable[] = []
  const isReady = ({ parents }: Omit<ContentTable, 'isParent'>) =>
    parents.every(({ table }) => ordered.some(({ name }) => name === table))
  while (ordered.length < found.length) {
    const next = found.find((table) => !ordered.some(({ name }) => name === table.name) && isReady(table))
    assert(next, 'content tables refer to each other in one direction')
    const isParent = found.some(({ parents }) => parents.some(({ table }) => table === next.name))
    ordered.push({ ...next, isParent })
  }
  return ordered
}
