import type { TenantData } from '../platform/data-export.ts'
import { byTime, byTimeAndSize } from '../platform/data-export-readers.ts'
import { type Listed, messagesAfter, threadsAfter } from './data-export-sql.ts'

const placeOf = ({ createdAt, id }: Listed) => [createdAt, id] as const

export const chatTenantData: TenantData = {
  exports: {
    threads: byTime(threadsAfter, placeOf),
    // Beside the threads and not inside them: a thread can be longer than memory.
    messages: byTimeAndSize(messagesAfter, placeOf),
  },
  tables: ['chat_threads', 'chat_messages'],
}
