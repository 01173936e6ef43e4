// Synchronises the clock of this process with the shared database, so that all replicas agree on the time.
import type { DisciplinedClock } from '../../kernel/clock.ts'
import type { Log } from '../log/log.ts'
import type { Db } from './tx.ts'

const EVERY_MS = 30_000

/** Sets the clock now and every 30 seconds. Returns a function that stops it. While the database is down, the clock free-runs. */
export async function syncClock(
  db: Db,
  clock: DisciplinedClock,
  onWarning: Log['warn'],
): Promise<() => void> {
  const set = async () => {
    const sentMs = performance.now()
    const { at } = await db.direct.one<{ at: Date }>`select clock_timestamp() as at`
    clock.set(new Date(at.getTime() + (performance.now() - sentMs) / 2))
  }
  await set()
  const timer = setInterval(
    () => set().catch((error) => onWarning({ err: error }, 'database.clock.read_failed')),
    EVERY_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
