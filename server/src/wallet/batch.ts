// Operations that arrive while others are on their way to the database are applied together by the next statement, each
// with its own verdict. An answer is given only after its commit. Nobody waits while nobody is ahead.
import { ApiError } from '../kernel/errors.ts'
import type { Op, Verdict } from './apply-sql.ts'

export type Batcher = {
  /** Queues one operation. Resolves after the commit that contains it. */
  run(op: Op): Promise<Verdict>
  readonly waiting: number
}

type Waiting = {
  readonly op: Op
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
  attempt: number
  /** A neighbour of one that the database refused: from now on each of them goes by itself. */
  alone: boolean
}

const BATCH_MAX = 256
const WAITING_MAX = 20_000
const ATTEMPTS = 3
const PAUSE_MS = 25

/**
 * `apply` runs one batch in one transaction. Every operation must be safe to repeat: a batch whose answer was lost is
 * sent again, and what it did the first time is then told again.
 */
export function createBatcher(apply: (ops: readonly Op[]) => Promise<Verdict[]>, inFlightMax = 2): Batcher {
  const queue: Waiting[] = []
  // A wallet in flight is locked: whoever comes meanwhile would only wait for it in the database, and hold a connection.
  const busy = new Set<string>()
  let inFlight = 0

  function pump(): void {
    while (inFlight < inFlightMax && queue.length > 0) {
      const batch = take()
      if (batch.length === 0) return
      inFlight++
      void send(batch)
    }
  }

  /** The longest-waiting operations whose wallets are free. A hold or cause is named at most once. */
  function take(): Waiting[] {
    const batch: Waiting[] = []
    const named = new Set<string>()
    let isFull = false
    let kept = 0
    for (const each of queue) {
      const name = nameOf(each.op)
      const goes =
        !isFull && !busy.has(each.op.org) && !named.has(name) && (!each.alone || batch.length === 0)
      if (!goes) {
        queue[kept++] = each
        continue
      }
      batch.push(each)
      named.add(name)
      isFull = each.alone || batch.length === BATCH_MAX
    }
    queue.length = kept
    for (const { op } of batch) busy.add(op.org)
    return batch
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    try {
      const verdicts = await apply(batch.map(({ op }) => op))
      for (const [n, { resolve }] of batch.entries()) resolve(verdicts[n] as Verdict)
    } catch (error) {
      for (const each of batch) again(each, error, batch.length)
    }
    inFlight--
    for (const { op } of batch) busy.delete(op.org)
    pump()
  }

  /** An outage passes, and is waited for briefly. Anything else is somebody's fault: alone it turns out whose. */
  function again(each: Waiting, error: unknown, together: number): void {
    const passes = error instanceof ApiError
    each.attempt++
    if (passes ? each.attempt === ATTEMPTS : together === 1) {
      each.reject(error)
      return
    }
    if (!passes) each.alone = true
    setTimeout(
      () => {
        queue.push(each)
        pump()
      },
      passes ? PAUSE_MS * each.attempt : 0,
    )
  }

  return {
    run: (op) =>
      new Promise((resolve, reject) => {
        // Beyond this nobody would still be there when their turn comes.
        if (queue.length >= WAITING_MAX) return reject(new ApiError('busy'))
        queue.push({ op, resolve, reject, attempt: 0, alone: false })
        pump()
      }),
    get waiting() {
      return queue.length
    },
  }
}

function nameOf(op: Op): string {
  if (op.kind === 'reserve') return `${op.org} ${op.ref}`
  return 'cause' in op ? op.cause : op.id
}
