// Limits concurrent reports over all organisations, because they are slow and share the connection pool.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/db/tx.ts'

const CONCURRENT_READS_MAX = 2
const WAIT_MS = 10_000
const QUEUE_MAX = 50

type FleetQueue = { running: number; readonly waiting: Set<() => void> }
const queues = new WeakMap<Db, FleetQueue>()

/** Two at a time per process. Others wait; they get `busy` after ten seconds, or at once if the queue is full. */
export async function withFleetSlot<T>(app: App, read: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const queue = queues.get(app.db) ?? { running: 0, waiting: new Set() }
  queues.set(app.db, queue)
  await acquireSlot(queue, waitMs)
  try {
    return await read()
  } finally {
    releaseSlot(queue)
  }
}

async function acquireSlot(queue: FleetQueue, waitMs: number): Promise<void> {
  if (queue.running < CONCURRENT_READS_MAX) {
    queue.running++
    return
  }
  if (queue.waiting.size >= QUEUE_MAX) throw new ApiError('busy')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  queue.waiting.add(resolve)
  const timer = setTimeout(() => {
    queue.waiting.delete(resolve)
    reject(new ApiError('busy'))
  }, waitMs)
  await promise.finally(() => clearTimeout(timer))
}

/** Passes the slot to the longest waiting caller. */
function releaseSlot(queue: FleetQueue): void {
  const [next] = queue.waiting
  if (!next) {
    queue.running--
    return
  }
  queue.waiting.delete(next)
  next()
}
