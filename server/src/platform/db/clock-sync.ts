// All replicas take the time from the database they share.
import type { DisciplinedClock } from '../../kernel/clock.ts'
import type { Log } from '../log/log.ts'
import type { Db } from './tx.ts'

const EVERY_MS = 30_000

/** Sets the clock now and keeps it set. Returns the end of that. While the database is away the clock runs on. */
export async function syncClock(
  db: Db,
  clock: DisciplinedClock,
  onWarning: Log['warn'],
): Promise<() => void> {
  const set = async () => {
    const asked = performance.now()
    const { at } = await db.direct.one<{ at: Date }>`select clock_timestamp() as at`
    clock.set(new Date(at.getTime() + (performance.now() - asked) / 2))
  }
  await set()
  const timer = setInterval(
    () => set().catch((error) => onWarning({ err: error }, 'database.clock.read_failed')),
    EVERY_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
