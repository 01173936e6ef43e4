// Limits the concurrent sandboxes of this process, because each may use 512 MiB. Organisations take turns, and each
// has its own queue.

const RUNNING_MAX = 4
const WAITING_MAX = 64
const RUNNING_PER_OWNER = 2
const WAITING_PER_OWNER = 16

export type SlotRequest = {
  /** The organisation, for fair scheduling. */
  readonly owner: string
  readonly signal: AbortSignal
  /** For work that is already paid: waits even if the queue is full. */
  readonly ignoresQueueLimit?: boolean
}

type OwnerQueue = { running: number; readonly waiting: (() => void)[] }

let running = 0
/** In scheduling order: the next owner is first. */
const queues = new Map<string, OwnerQueue>()

/** Acquires a slot and returns its release function. Null if the wait was aborted or the queue is full. */
export async function acquireSlot({
  owner,
  signal,
  ignoresQueueLimit = false,
}: SlotRequest): Promise<(() => void) | null> {
  if (signal.aborted) return null
  const line = queues.get(owner) ?? { running: 0, waiting: [] }
  if (!ignoresQueueLimit && (line.waiting.length >= WAITING_PER_OWNER || countWaiting() >= WAITING_MAX))
    return null
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

function countWaiting(): number {
  let sum = 0
  for (const { waiting } of queues.values()) sum += waiting.length
  return sum
}

function releaseSlot(owner: string, line: OwnerQueue): void {
  running--
  line.running--
  dropIdleQueue(owner, line)
  assignFreeSlots()
}

/** Assigns free slots, one per organisation in turn. */
function assignFreeSlots(): void {
  while (running < RUNNING_MAX) {
    const next = [...queues].find(
      ([, { running: own, waiting }]) => waiting.length > 0 && own < RUNNING_PER_OWNER,
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

function dropIdleQueue(owner: string, line: OwnerQueue): void {
  if (line.running === 0 && line.waiting.length === 0) queues.delete(owner)
}
