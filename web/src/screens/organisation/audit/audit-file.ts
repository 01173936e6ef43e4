// Downloads the audit log as CSV.
import { type AuditListQuery, toJson } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { saveFile } from '../../../ui/base/save-file.ts'
import { csvOf } from '../../../ui/files/csv.ts'

const PAGES_MAX = 50
const PAGE = 200
const HEAD = [
  'seq',
  'createdAt',
  'action',
  'actorKind',
  'actorEmail',
  'target',
  'ip',
  'metadata',
  'hash',
] as const

/** False if the log is longer than the page limit. */
export async function downloadAudit(filter: AuditListQuery): Promise<boolean> {
  const rows: unknown[][] = [[...HEAD]]
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await api.audit.list({ ...filter, limit: PAGE, ...(cursor !== null && { cursor }) })
    for (const entry of answer.entries)
      rows.push(HEAD.map((name) => (name === 'metadata' ? toJson(entry.metadata) : entry[name])))
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  saveFile('cowrie-audit.csv', [csvOf(rows)], 'text/csv')
  return cursor === null
}
