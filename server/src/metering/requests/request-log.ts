// The request log: records one row per model call without delaying the call. Rows of a process are stored in batches.
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { insertRequests } from './request-log-sql.ts'
import type { RequestRecord, RequestRow } from './request-row.ts'
import { createRowBuffer, type RowBuffer } from './row-buffer.ts'

// The database may be gone when the service stops. Other parts need the rest of the grace period.
const DRAIN_MS = 5_000
const NAME_MAX = 200
const INTEGER_MAX = 2 ** 31 - 1

const buffers = new WeakMap<App['db'], RowBuffer<RequestRow>>()

/** Never waits and never throws. The row can be read within a second. */
export function recordRequest(app: App, record: RequestRecord): void {
  const at = app.clock.now()
  bufferOf(app).add({ ...bounded(record), at, id: newId('rql', at.getTime()) })
}

/** Stores the rows that this process recorded so far. */
export const flushRequestLog = async (app: App): Promise<void> => buffers.get(app.db)?.flush()

/** Stores the last rows when the service stops. */
export async function startRequestLog(app: App): Promise<() => Promise<void>> {
  return async () => buffers.get(app.db)?.drain(DRAIN_MS)
}

function bufferOf(app: App): RowBuffer<RequestRow> {
  const known = buffers.get(app.db)
  if (known) return known
  const buffer = createRowBuffer<RequestRow>({
    store: (rows) => app.db.tx('platform', (tx) => insertRequests(tx, rows)),
    onLoss(reason, rows, error) {
      app.metrics.requestLogLost(reason, rows)
      app.log.error({ err: error, reason, rows }, 'metering.request_log.rows_lost')
    },
  })
  buffers.set(app.db, buffer)
  return buffer
}

/** Values that the table accepts: a client may choose the request id, and an operator the names. */
function bounded(record: RequestRecord): RequestRecord {
  const { route, model, provider, requestId, durationMs, ttftMs } = record
  return {
    ...record,
    route: nameOf(route),
    model: nameOf(model),
    provider: provider === null ? null : nameOf(provider),
    requestId: requestId === null ? null : nameOf(requestId),
    durationMs: wholeMs(durationMs),
    ttftMs: ttftMs === null ? null : wholeMs(ttftMs),
  }
}

const nameOf = (text: string): string => text.replaceAll('\0', '').slice(0, NAME_MAX)
const wholeMs = (ms: number): number => Math.min(INTEGER_MAX, Math.max(0, Math.round(ms)))
