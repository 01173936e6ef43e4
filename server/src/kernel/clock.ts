// Time comes from outside: production follows the database's clock, tests own theirs.

export type Clock = {
  now(): Date
}

export type Duration = { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }

/**
 * A clock that runs on the process's monotonic counter and is set by whoever knows the true time.
 * All replicas set theirs from the one database, so a wrong wall clock on a machine changes nothing.
 */
export class DisciplinedClock implements Clock {
  #offsetMs = Date.now() - performance.now()

  now(): Date {
    return new Date(performance.now() + this.#offsetMs)
  }

  set(trueNow: Date): void {
    this.#offsetMs = trueNow.getTime() - performance.now()
  }
}

/** A clock that moves only when told to. */
export class ManualClock implements Clock {
  #nowMs: number

  constructor(at: Date | string = '2026-11-15T09:00:00.000Z') {
    this.#nowMs = new Date(at).getTime()
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  advance(by: Duration): void {
    this.#nowMs += toMs(by)
  }
}

export const after = (instant: Date, by: Duration): Date => new Date(instant.getTime() + toMs(by))
export const before = (instant: Date, by: Duration): Date => new Date(instant.getTime() - toMs(by))

export function toMs({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms
}
