// Limits the concurrent sandboxes of this process, because each may use 512 MiB, and more while it installs
// dependencies. Organisations take turns, and each has its own queue.

export type SlotLimits = {
  readonly running: number
  readonly runningPerOwner: number
  readonly waiting: number
  readonly waitingPerOwner: number
}

export type SlotRequest = {
  /** The organisation, for fair scheduling. */
  readonly owner: string
  readonly signal: AbortSignal
  /** For work that is already paid: waits even if the queue is full. */
  readonly ignoresQueueLimit?: boolean
}

type OwnerQueue = { running: number; readonly waiting: (() => void)[] }

/** Acquires a slot and returns its release function. Null if the wait was aborted or the queue is full. */
type AcquireSlot = (request: SlotRequest) => Promise<(() => void) | null>

function createSlots(limits: SlotLimits): AcquireSlot {
  let running = 0
  /** In scheduling order: the next owner is first. */
  const queues = new Map<string, OwnerQueue>()

  const countWaiting = (): number => {
    let sum = 0
    for (const { waiting } of queues.values()) sum += waiting.length
    return sum
  }
  const dropIdleQueue = (owner: string, line: OwnerQueue): void => {
    if (line.running === 0 && line.waiting.length === 0) queues.delete(owner)
  }
  /** Assigns free slots, one per organisation in turn. */
  const assignFreeSlots = (): void => {
    while (running < limits.running) {
      const next = [...queues].find(
        ([, { running: own, waiting }]) => waiting.length > 0 && own < limits.runningPerOwner,
      )
      if (next === undefined) return
      const [owner, line] = next
      // Move the owner to the end.
      queues.delete(owner)
      queues.set(owner, line)
      running++
      line.running++
      line.waiting.shift()?.()
    }
  }
  const releaseSlot = (owner: string, line: OwnerQueue): void => {
    running--
    line.running--
    dropIdleQueue(owner, line)
    assignFreeSlots()
  }

  return async ({ owner, signal, ignoresQueueLimit = false }) => {
    if (signal.aborted) return null
    const line = queues.get(owner) ?? { running: 0, waiting: [] }
    const isFull = line.waiting.length >= limits.waitingPerOwner || countWaiting() >= limits.waiting
    if (isFull && !ignoresQueueLimit) return null
    queues.set(owner, line)
    return new Promise((resolve) => {
      const takeSlot = () => {
        signal.removeEventListener('abort', giveUp)
        resolve(() => releaseSlot(owner, line))
      }
      const giveUp = () => {
        line.waiting.splice(line.waiting.indexOf(takeSlot), 1)
        dropIdleQueue(owner, line)
        resolve(null)
      }
      line.waiting.push(takeSlot)
      signal.addEventListener('abort', giveUp, { once: true })
      assignFreeSlots()
    })
  }
}

/** For commands. */
export const acquireSlot: AcquireSlot = createSlots({
  running: 4,
  runningPerOwner: 2,
  waiting: 64,
  waitingPerOwner: 16,
})

/** For installations. They take minutes and more memory, so they do not take the slots of commands. */
export const acquireBuildSlot: AcquireSlot = createSlots({
  running: 2,
  runningPerOwner: 1,
  waiting: 64,
  waitingPerOwner: 16,
})
