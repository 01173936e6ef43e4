// All replicas take the time from the database they share.
import type { DisciplinedClock } from '../../kernel/clock.ts'
import type { Db } from './tx.ts'

const EVERY_MS = 30_000

/** Sets the clock now and keeps it set. Returns the end of that. While the database is away the clock runs on. */
export async function followDatabaseTime(
  db: Db,
  clock: DisciplinedClock,
  onWarning: (message: string) => void,
): Promise<() => void> {
  const set = async () => {
    const asked = performance.now()
    const { at } = await db.direct.one<{ at: Date }>`select clock_timestamp() as at`
    clock.set(new Date(at.getTime() + (performance.now() - asked) / 2))
  }
  await set()
  const timer = setInterval(
    () =>
      set().catch((error) =>
        onWarning(`the clock was not set: ${error instanceof Error ? error.message : error}`),
      ),
    EVERY_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
