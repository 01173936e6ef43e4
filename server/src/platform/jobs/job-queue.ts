// The running job queue, as the app carries it. It is below `App` in the imports; the kinds of jobs are above it.

export type JobQueue = {
  /** Starts claiming jobs on this replica. */
  start(): void
  /**
   * Stops claiming and waits for running jobs. After the timeout they are interrupted and returned to the queue, so that another
   * replica can run them immediately.
   */
  stop(): Promise<void>
  /** Runs all due jobs on this replica, including those that become due meanwhile. Returns their number. */
  drain(): Promise<number>
  /** The number of jobs by kind and state: waiting, parked, running, dead. */
  count(): Promise<{ name: string; state: string; count: number }[]>
  readonly kinds: readonly string[]
  /** The number of jobs that run on this replica now. */
  readonly running: number
}
