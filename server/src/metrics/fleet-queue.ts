// Figures of the fleet may take long to read, and the connections are everybody's: so few of them are read at a time.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/db/tx.ts'

const READINGS_MAX = 2
const WAIT_MS = 10_000
const LINE_MAX = 50

type Line = { underWay: number; readonly waiting: Set<() => void> }
const lines = new WeakMap<Db, Line>()

/** Two at a time in this process; the others wait in line, and are told `busy` after ten seconds or where the line is long. */
export async function inFleetLine<T>(app: App, read: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const line = lines.get(app.db) ?? { underWay: 0, waiting: new Set() }
  lines.set(app.db, line)
  await enter(line, waitMs)
  try {
    return await read()
  } finally {
    leave(line)
  }
}

async function enter(line: Line, waitMs: number): Promise<void> {
  if (line.underWay < READINGS_MAX) {
    line.underWay++
    return
  }
  if (line.waiting.size >= LINE_MAX) throw new ApiError('busy')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  line.waiting.add(resolve)
  const patience = setTimeout(() => {
    line.waiting.delete(resolve)
    reject(new ApiError('busy'))
  }, waitMs)
  await promise.finally(() => clearTimeout(patience))
}

/** The place goes to whoever has waited longest. */
function leave(line: Line): void {
  const [next] = line.waiting
  if (!next) {
    line.underWay--
    return
  }
  line.waiting.delete(next)
  next()
}
