// Bounded admission to the connection pool: waiting has a limit in number and in time.
import { ApiError } from '../../kernel/errors.ts'

export type Semaphore = {
  acquire(): Promise<void> | undefined
  /** Without waiting; says whether there was one. */
  tryAcquire(): boolean
  release(): void
  readonly inUse: number
  readonly waiting: number
}

type Waiter = { admit: () => void; timer: NodeJS.Timeout }

/** At most `max` holders; others wait in line for `waitMs`, at most `queueMax` of them. Past either bound: `busy`. */
export function createSemaphore(max: number, waitMs: number, queueMax: number): Semaphore {
  let inUse = 0
  const line = new Set<Waiter>()

  return {
    get inUse() {
      return inUse
    },
    get waiting() {
      return line.size
    },
    acquire() {
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
    tryAcquire() {
      if (inUse >= max) return false
      inUse++
      return true
    },
    release() {
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
