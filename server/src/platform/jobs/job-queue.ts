// The running job queue, as the app carries it. It is below `App` in the imports; the kinds of jobs are above it.

export type JobQueue = {
  /** Begins to take work on this replica. */
  start(): void
  /**
   * Takes no more work and waits for what runs. What has not ended by the bound is interrupted and handed back, so
   * that another replica goes on with it at once.
   */
  stop(): Promise<void>
  /** Runs everything that is due now, and what becomes due by that, to its end on this replica; says how many. */
  drain(): Promise<number>
  /** How many jobs there are of each kind in each state: waiting, parked, running, dead. */
  count(): Promise<{ name: string; state: string; count: number }[]>
  readonly kinds: readonly string[]
  /** How many this replica works on right now. */
  readonly running: number
}
