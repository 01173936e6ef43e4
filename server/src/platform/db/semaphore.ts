// A semaphore whose queue is limited in length and waiting time.
import { ApiError } from '../../kernel/errors.ts'

export type Semaphore = {
  acquire(): Promise<void> | undefined
  /** Never waits. Returns whether a slot was free. */
  tryAcquire(): boolean
  release(): void
  readonly inUse: number
  readonly waiting: number
}

type Waiter = { admit: () => void; timer: NodeJS.Timeout }

/** At most `max` holders. At most `queueMax` others wait for up to `waitMs`. Beyond these limits `acquire` fails with `busy`. */
export function createSemaphore(max: number, waitMs: number, queueMax: number): Semaphore {
  let inUse = 0
  const queue = new Set<Waiter>()

  return {
    get inUse() {
      return inUse
    },
    get waiting() {
      return queue.size
    },
    acquire() {
      if (inUse < max) {
        inUse++
        return undefined
      }
      if (queue.size >= queueMax) throw new ApiError('busy')
      return new Promise((admit, refuse) => {
        const timer = setTimeout(() => {
          queue.delete(waiter)
          refuse(new ApiError('busy'))
        }, waitMs)
        const waiter = { admit, timer }
        queue.add(waiter)
      })
    },
    tryAcquire() {
      if (inUse >= max) return false
      inUse++
      return true
    },
    release() {
      const next = queue.values().next().value
      if (!next) {
        inUse--
        return
      }
      queue.delete(next)
      clearTimeout(next.timer)
      next.admit()
    },
  }
}
