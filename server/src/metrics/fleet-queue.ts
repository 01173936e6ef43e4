// Figures of the fleet may take long to read, and the connections are everybody's: so few of them are read at a time.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/db/tx.ts'

const CONCURRENT_READS_MAX = 2
const WAIT_MS = 10_000
const QUEUE_MAX = 50

type FleetQueue = { underWay: number; readonly waiting: Set<() => void> }
const queues = new WeakMap<Db, FleetQueue>()

/** Two at a time in this process; the others wait in line, and are told `busy` after ten seconds or where the line is long. */
export async function withFleetSlot<T>(app: App, read: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const line = queues.get(app.db) ?? { underWay: 0, waiting: new Set() }
  queues.set(app.db, line)
  await acquireSlot(line, waitMs)
  try {
    return await read()
  } finally {
    releaseSlot(line)
  }
}

async function acquireSlot(line: FleetQueue, waitMs: number): Promise<void> {
  if (line.underWay < CONCURRENT_READS_MAX) {
    line.underWay++
    return
  }
  if (line.waiting.size >= QUEUE_MAX) throw new ApiError('busy')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  line.waiting.add(resolve)
  const timer = setTimeout(() => {
    line.waiting.delete(resolve)
    reject(new ApiError('busy'))
  }, waitMs)
  await promise.finally(() => clearTimeout(timer))
}

/** The place goes to whoever has waited longest. */
function releaseSlot(line: FleetQueue): void {
  const [next] = line.waiting
  if (!next) {
    line.underWay--
    return
  }
  line.waiting.delete(next)
  next()
}
