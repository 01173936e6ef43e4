// Databases that could not be reached, and let whoever asked wait for it: for a while nobody asks again. A failure that is told
// at once costs nobody anything, and is not remembered: what only starts anew is back as soon as it is up.
import { after, type Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'

export type DatabaseBreaker = {
  /** Refuses while the database is known to be away. */
  throwIfOpen(org: OrgId): void
  /** Asks, unless it is known to be away, and remembers what came of it. */
  run<T>(org: OrgId, ask: () => Promise<T>): Promise<T>
}

const REMEMBERED_SECONDS = 60

/** There are as many as organisations with a database of their own, at most. */
export function createDatabaseBreaker(clock: Clock, slowMs: number): DatabaseBreaker {
  const until = new Map<OrgId, Date>()

  function refuse(org: OrgId): void {
    const end = until.get(org)
    if (end && clock.now() < end) throw new ApiError('database_unavailable')
    until.delete(org)
  }

  return {
    throwIfOpen: refuse,
    async run(org, ask) {
      refuse(org)
      const began = performance.now()
      try {
        const answer = await ask()
        until.delete(org)
        return answer
      } catch (error) {
        if (performance.now() - began >= slowMs)
          until.set(org, after(clock.now(), { seconds: REMEMBERED_SECONDS }))
        throw error
      }
    },
  }
}
