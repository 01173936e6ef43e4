// How long the files of one answer may be worked on. Only our own work counts, not the time in which others have their
// turn, be it here or on the machine, so a busy server refuses no more than an idle one.
export type WorkTime = {
  isUp(): boolean
  /** Does the work at once and counts the time it takes. */
  spend<T>(work: () => T): T
}

const ANSWER_MS_MAX = 2_000

export function createWorkTime(msMax = ANSWER_MS_MAX): WorkTime {
  let msLeft = msMax
  return {
    isUp: () => msLeft <= 0,
    spend: (work) => {
      const startedMs = threadMs()
      try {
        return work()
      } finally {
        msLeft -= threadMs() - startedMs
      }
    },
  }
}

/** How long this thread has had the processor so far. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
