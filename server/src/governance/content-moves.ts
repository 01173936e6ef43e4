// Content that has been told to move is moved by whoever comes first: the request that told it, or this.
import { after } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'

const MOVES_PER_RUN = 4
const MINUTES_PER_MOVE = 1
const busy = new WeakSet<App>()

/** Goes on with the moves that were tried longest ago, a minute each; what is left then waits for the next run. */
export const moveContentJob = job('governance.moveContent', {
  attempts: 1,
  slow: true,
  timeoutMs: (MOVES_PER_RUN * MINUTES_PER_MOVE + 1) * 60_000,
  async run(app, { signal }) {
    // The next run comes while this one may still be at it, and has nothing to add.
    if (busy.has(app)) return
    busy.add(app)
    try {
      for (const org of await app.content.unfinishedMoves(MOVES_PER_RUN)) {
        if (signal.aborted) return
        await app.content.resumeMove(org, after(app.clock.now(), { minutes: MINUTES_PER_MOVE }), 'skip')
      }
    } finally {
      busy.delete(app)
    }
  },
})

export const moveContentSchedule: Schedule = {
  name: 'governance.moveContent',
  job: 'governance.moveContent',
  everySeconds: 30,
}
