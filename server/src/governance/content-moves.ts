// Resumes unfinished moves of content to another database. The request that starts a move also tries to finish it.
import { after } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'

const MOVES_PER_RUN = 4
const MINUTES_PER_MOVE = 1
const busy = new WeakSet<App>()

/** Resumes the moves with the oldest attempt, for a minute each. The next run continues. */
export const moveContentJob = job('governance.moveContent', {
  attempts: 1,
  slow: true,
  timeoutMs: (MOVES_PER_RUN * MINUTES_PER_MOVE + 1) * 60_000,
  async run(app, { signal }) {
    // Skips the run while the previous one is still working.
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
