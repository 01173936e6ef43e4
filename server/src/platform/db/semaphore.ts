// Bounded admission to the connection pool: waiting has a limit in number and in time.
import { ApiError } from '../../kernel/errors.ts'

export type Slots = {
  take(): Promise<void> | undefined
  /** Without waiting; says whether there was one. */
  takeNow(): boolean
  give(): void
  readonly inUse: number
  readonly waiting: number
}

type Waiter = { admit: () => void; timer: NodeJS.Timeout }

/** At most `max` holders; others wait in line for `waitMs`, at most `queueMax` of them. Past either bound: `busy`. */
export function createSlots(max: number, waitMs: number, queueMax: number): Slots {
  let inUse = 0
  const line = new Set<Waiter>()

  return {
    get inUse() {
      return inUse
    },
    get waiting() {
      return line.size
    },
    take() {
      if (inUse < max) {
        inUse++
        return undefined
      }
      if (line.size >= queueMax) throw new ApiError('busy')
      return new Promise((admit, refuse) => {
        const timer = setTimeout(() => {
          line.delete(waiter)
          refuse(new ApiError('busy'))
        }, waitMs)
        const waiter = { admit, timer }
        line.add(waiter)
      })
    },
    takeNow() {
      if (inUse >= max) return false
      inUse++
      return true
    },
    give() {
      const next = line.values().next().value
      if (!next) {
        inUse--
        return
      }
      line.delete(next)
      clearTimeout(next.timer)
      next.admit()
    },
  }
}
