// Exports the indexed files of an organisation with their chunks, and the histories of its repositories, without data that is computed from them.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTextAndSize, byTimeAndSize } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

type IndexedFile = { id: string; indexedAt: Date }

/** At most `limit` files. The page ends after the file that reaches `bytes`. */
function listFilesForExport(tx: Tx, org: OrgId, after: TimeCursor, limit: number, bytes: number) {
  return tx.content.rows<IndexedFile>`
    with following as (
      select id, indexed_at, index_files.bytes from index_files
      where org_id = ${org} and (indexed_at, id) > (${after.at}, ${after.id})
      order by indexed_at, id limit ${limit}),
    sized as (select id, sum(bytes) over (order by indexed_at, id) - bytes as earlier_bytes from following)
    select id, repo, path, sha256, model, language, bytes, indexed_at as "indexedAt",
           (select coalesce(json_agg(json_build_object('kind', kind, 'symbol', symbol, 'startLine', start_line, 'endLine', end_line,
                                                       'content', content) order by ord), '[]')
            from index_chunks where file_id = index_files.id) as chunks
    from index_files where org_id = ${org} and id in (select id from sized where earlier_bytes < ${bytes})
    order by indexed_at, id`
}

/** The history of a repository is one row. */
function listHistoriesForExport(tx: Tx, org: OrgId, after: string, limit: number, bytes: number) {
  return tx.content.rows<{ repo: string }>`
    with following as (
      select repo, octet_length(commits::text) as size from index_histories
      where org_id = ${org} and repo collate "C" > ${after} order by repo collate "C" limit ${limit}),
    sized as (select repo, sum(size) over (order by repo collate "C") - size as earlier_bytes from following)
    select repo, latest, commits, updated_at as "updatedAt" from index_histories
    where org_id = ${org} and repo in (select repo from sized where earlier_bytes < ${bytes})
    order by repo collate "C"`
}

export const indexTenantData: TenantData<App> = {
  exports: {
    indexFiles: byTimeAndSize(listFilesForExport, ({ indexedAt, id }: IndexedFile) => [indexedAt, id]),
    indexHistories: byTextAndSize(listHistoriesForExport, ({ repo }) => repo),
  },
  tables: ['index_files', 'index_chunks', 'index_histories'],
  withheld: {
    index_states: 'version counters of the index, without information about the code',
    index_calibrations: 'search weights, without information about the code',
  },
}
