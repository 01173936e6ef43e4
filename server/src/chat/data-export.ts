// Conversations in the data export of an organisation.

import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime, byTimeAndSize } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

type ExportRow = { id: string; createdAt: Date }

const cursorOf = ({ createdAt, id }: ExportRow) => [createdAt, id] as const

export const chatTenantData: TenantData<App> = {
  exports: {
    threads: byTime(threadsAfter, cursorOf),
    // Not nested in the threads, because one thread can be larger than the available memory.
    messages: byTimeAndSize(messagesAfter, cursorOf),
  },
  tables: ['chat_threads', 'chat_messages'],
}

function threadsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<ExportRow>`
    select id, user_id as "userId", title, mode, archived_at is not null as archived, created_at as "createdAt",
           updated_at as "updatedAt"
    from chat_threads where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

/** At most `limit` rows, and none after the total reaches `bytes`. */
function messagesAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number, bytes: number) {
  return tx.content.rows<ExportRow>`
    select id, thread_id as "threadId", role, content, status, lane, model, cost_minor as "costMinor",
           error_code as "errorCode", created_at as "createdAt"
    from (select id, thread_id, role, content, status, lane, model, cost_minor, error_code, created_at,
                 sum(octet_length(content)) over (order by created_at, id) - octet_length(content) as earlier_bytes
          from (select id, thread_id, role, content, status, lane, model, cost_minor, error_code, created_at
                from chat_messages where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
                order by created_at, id limit ${limit}) as following) as sized
    where earlier_bytes < ${bytes} order by created_at, id`
}
