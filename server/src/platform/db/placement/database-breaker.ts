// Circuit breaker for dedicated databases. It opens only after a slow failure, because a fast failure costs the caller little:
// a database that merely restarts is used again as soon as it is up.
import { after, type Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'

export type DatabaseBreaker = {
  /** Throws `database_unavailable` while the breaker of this organisation's database is open. */
  throwIfOpen(org: OrgId): void
  /** Runs the call unless the breaker is open, and updates the breaker. */
  run<T>(org: OrgId, call: () => Promise<T>): Promise<T>
}

const OPEN_SECONDS = 60

/** A failure that takes `slowMs` or longer opens the breaker. Memory is bounded by the number of dedicated databases. */
export function createDatabaseBreaker(clock: Clock, slowMs: number): DatabaseBreaker {
  const openUntil = new Map<OrgId, Date>()

  function throwIfOpen(org: OrgId): void {
    const end = openUntil.get(org)
    if (end && clock.now() < end) throw new ApiError('database_unavailable')
    openUntil.delete(org)
  }

  return {
    throwIfOpen,
    async run(org, call) {
      throwIfOpen(org)
      const startedMs = performance.now()
      try {
        const result = await call()
        openUntil.delete(org)
        return result
      } catch (error) {
        if (performance.now() - startedMs >= slowMs)
          openUntil.set(org, after(clock.now(), { seconds: OPEN_SECONDS }))
        throw error
      }
    },
  }
}
