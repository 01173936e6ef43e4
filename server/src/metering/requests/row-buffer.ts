// A bounded buffer of rows that are stored in batches. Adding a row never waits and never throws. Rows that cannot be stored are
// counted and reported.
import { ApiError } from '../../kernel/errors.ts'

export type LossReason = 'overflow' | 'failed'

export type RowBufferOptions<Row> = {
  /** Stores all rows or none. Storing a row twice has no effect. Throws an ApiError for a temporary failure. */
  readonly store: (rows: readonly Row[]) => Promise<void>
  readonly onLoss: (reason: LossReason, rows: number, error: unknown) => void
  readonly rowsMax?: number
  readonly flushMs?: number
  readonly retryMs?: number
}

export type RowBuffer<Row> = {
  add(row: Row): void
  /** Stores everything that was added before. */
  flush(): Promise<void>
  /** As `flush`, without retries and with a deadline: the service is stopping. */
  drain(deadlineMs: number): Promise<void>
  readonly size: number
}

export const ROWS_MAX = 5_000
export const BATCH_ROWS = 200
const FLUSH_MS = 500
const ATTEMPTS = 5
// 0.5 + 1 + 2 + 4 seconds: longer than a failover of the database usually takes.
const RETRY_MS = 500

export function createRowBuffer<Row>({
  store,
  onLoss,
  rowsMax = ROWS_MAX,
  flushMs = FLUSH_MS,
  retryMs = RETRY_MS,
}: RowBufferOptions<Row>): RowBuffer<Row> {
  // Rows stay here until they are stored, so that the bound includes rows in flight.
  const rows: Row[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let overflowed = 0
  const stopping = new AbortController()

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      start()
    }, flushMs).unref()
  }

  /** Writes one batch, and further ones while they are full. One writer at a time. */
  function start(): void {
    writing ??= write().finally(() => {
      writing = undefined
      if (rows.length > 0) schedule()
    })
  }

  async function write(): Promise<void> {
    do {
      const batch = rows.slice(0, BATCH_ROWS)
      await storeBatch(batch)
      rows.splice(0, batch.length)
      reportOverflow()
    } while (rows.length >= BATCH_ROWS)
  }

  async function storeBatch(batch: readonly Row[]): Promise<void> {
    for (let attempt = 1; batch.length > 0; attempt++) {
      try {
        return await store(batch)
      } catch (error) {
        if (!(error instanceof ApiError)) return storeEach(batch)
        if (attempt === ATTEMPTS || stopping.signal.aborted) return onLoss('failed', batch.length, error)
        await pause(retryMs * 2 ** (attempt - 1), stopping.signal)
      }
    }
  }

  /** One row of the batch is invalid. The others are stored. */
  async function storeEach(batch: readonly Row[]): Promise<void> {
    let lost = 0
    let reason: unknown
    for (const row of batch)
      try {
        await store([row])
      } catch (error) {
        lost++
        reason = error
      }
    if (lost > 0) onLoss('failed', lost, reason)
  }

  /** Reported with the next batch and not by row: a flood must not fill the log too. */
  function reportOverflow(): void {
    if (overflowed === 0) return
    onLoss('overflow', overflowed, null)
    overflowed = 0
  }

  async function flush(): Promise<void> {
    for (let pending = rows.length; pending > 0; pending -= BATCH_ROWS) {
      if (writing) await writing
      if (rows.length === 0) break
      start()
      await writing
    }
    reportOverflow()
  }

  return {
    add(row) {
      if (rows.length >= rowsMax) {
        overflowed++
        return
      }
      rows.push(row)
      if (rows.length >= BATCH_ROWS) start()
      else schedule()
    },
    flush,
    async drain(deadlineMs) {
      stopping.abort()
      clearTimeout(timer)
      const isDone = await withDeadline(flush(), deadlineMs)
      if (!isDone && rows.length > 0) onLoss('failed', rows.length, new Error('not stored before the stop'))
    },
    get size() {
      return rows.length
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

/** Whether the work finished in time. */
async function withDeadline(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  try {
    return await Promise.race([work.then(() => true), promise])
  } finally {
    clearTimeout(timer)
  }
}
