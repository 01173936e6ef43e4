// Limits the CPU time spent on the files of one answer. Waiting does not count, so a busy server refuses no more than
// an idle one.
export type WorkTime = {
  isUp(): boolean
  /** Runs the work synchronously and counts its CPU time. */
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

/** CPU time of this thread so far. */
export function threadMs(): number {
  // Node.js before 23.9 knows only the time of the whole process.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}
