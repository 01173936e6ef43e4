// The clock is injected: production follows the time of the database, and tests use a manual clock.

export type Clock = {
  now(): Date
}

export type Duration = { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }

/**
 * A clock on the monotonic counter of the process that is regularly set to the true time. All replicas follow the same
 * database, so the wrong wall clock of a machine has no effect.
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

/** A clock that moves only by `advance`. */
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
