// Operations that arrive while others are on their way to the database are applied together by the next statement, each
// with its own verdict. An answer is given only after its commit. Nobody waits while nobody is ahead.
import { ApiError } from '../../kernel/errors.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'

export type Batcher = {
  /** Queues one operation. Resolves after the commit that contains it. */
  run(op: WalletOp): Promise<OpResult>
  readonly waiting: number
}

type QueuedOp = {
  readonly op: WalletOp
  readonly resolve: (verdict: OpResult) => void
  readonly reject: (error: unknown) => void
  attempt: number
}

const BATCH_MAX = 256
const QUEUE_MAX = 20_000
const ATTEMPTS = 3
const RETRY_DELAY_MS = 25
/** Longer than a database that is there takes to answer or to refuse: beyond it the connection is as good as lost. */
const REPLY_TIMEOUT_MS = 15_000
const ISOLATED_IN_FLIGHT_MAX = 4
/** So many wallets are not held by somebody: then it is the database that is slow, and none of them is to blame. */
const BLOCKED_MAX = 1_000

/**
 * `apply` runs one batch in one transaction. Every operation must be safe to repeat: a batch whose answer was lost is
 * sent again, and what it did the first time is then told again.
 */
export function createBatcher(
  apply: (ops: readonly WalletOp[]) => Promise<OpResult[]>,
  inFlightMax = 3,
  replyTimeoutMs = REPLY_TIMEOUT_MS,
): Batcher {
  const queue: QueuedOp[] = []
  // Neighbours of one that the database refused, and whoever comes for a wallet that is stuck: each goes by itself.
  const isolated: QueuedOp[] = []
  // A wallet in flight is locked: whoever comes meanwhile would only wait for it in the database, and hold a connection.
  const busy = new Set<string>()
  // Wallets that may be held by somebody for long, until one of theirs gets through: nobody else waits with them.
  const blocked = new Set<string>()
  let inFlight = 0
  let isolatedInFlight = 0

  function pump(): void {
    while (inFlight < inFlightMax && queue.length > 0) {
      const batch = take()
      if (batch.length === 0) break
      inFlight++
      void send(batch).finally(() => {
        inFlight--
        pumpAll()
      })
    }
  }

  function pumpIsolated(): void {
    while (isolatedInFlight < ISOLATED_IN_FLIGHT_MAX && isolated.length > 0) {
      const place = isolated.findIndex(({ op }) => !busy.has(op.org))
      if (place < 0) return
      isolatedInFlight++
      void send(isolated.splice(place, 1)).finally(() => {
        isolatedInFlight--
        pumpAll()
      })
    }
  }

  /** Those apart first: on a wallet that is always wanted they would never have their turn. */
  function pumpAll(): void {
    pumpIsolated()
    pump()
    pumpIsolated()
  }

  /** The longest-waiting operations whose wallets are free. A hold or cause is named at most once. */
  function take(): QueuedOp[] {
    const batch: QueuedOp[] = []
    const named = new Set<string>()
    const wallets = new Set<string>()
    let isAsyncBatch: boolean | undefined
    let kept = 0
    for (const each of queue) {
      if (blocked.has(each.op.org)) {
        isolated.push(each)
        continue
      }
      const name = nameOf(each.op)
      const fits = isAsyncBatch === undefined || fitsBatch(each.op, isAsyncBatch, wallets)
      if (batch.length === BATCH_MAX || !fits || busy.has(each.op.org) || named.has(name)) {
        queue[kept++] = each
        continue
      }
      isAsyncBatch ??= allowsAsyncCommit(each.op)
      wallets.add(each.op.org)
      batch.push(each)
      named.add(name)
    }
    queue.length = kept
    return batch
  }

  async function send(batch: readonly QueuedOp[]): Promise<void> {
    for (const { op } of batch) busy.add(op.org)
    try {
      const verdicts = await withDeadline(apply(batch.map(({ op }) => op)), replyTimeoutMs)
      for (const { op } of batch) blocked.delete(op.org)
      for (const [n, { resolve }] of batch.entries()) resolve(verdicts[n] as OpResult)
    } catch (error) {
      for (const each of batch) retry(each, error, batch.length)
    }
    for (const { op } of batch) busy.delete(op.org)
  }

  /**
   * An outage passes, and is waited for briefly. A wallet that somebody holds is waited for by those that need it and by
   * nobody else. Anything else is somebody's fault: alone it turns out whose.
   */
  function retry(each: QueuedOp, error: unknown, together: number): void {
    const passes = error instanceof ApiError
    each.attempt++
    if (passes ? each.attempt === ATTEMPTS : together === 1) {
      each.reject(error)
      return
    }
    const isHeld = passes && error.code === 'busy'
    if (isHeld) {
      if (blocked.size >= BLOCKED_MAX) blocked.clear()
      blocked.add(each.op.org)
    }
    setTimeout(() => enqueue(each, isHeld || !passes), passes ? RETRY_DELAY_MS * each.attempt : 0)
  }

  function enqueue(each: QueuedOp, isIsolated: boolean): void {
    ;(isIsolated ? isolated : queue).push(each)
    if (isIsolated) pumpIsolated()
    else pump()
  }

  return {
    run: (op) =>
      new Promise((resolve, reject) => {
        // Beyond this nobody would still be there when their turn comes.
        if (queue.length + isolated.length >= QUEUE_MAX) return reject(new ApiError('busy'))
        enqueue({ op, resolve, reject, attempt: 0 }, blocked.has(op.org))
      }),
    get waiting() {
      return queue.length + isolated.length
    },
  }
}

/** Those that need not wait for the disk go together, and not with those that do. */
export const allowsAsyncCommit = ({ kind }: WalletOp): boolean => kind === 'reserve' || kind === 'extend'

/** Except on a wallet that is under way with the others: there it would have to wait for them anyway. */
const fitsBatch = (op: WalletOp, isLightBatch: boolean, wallets: ReadonlySet<string>): boolean =>
  allowsAsyncCommit(op) === isLightBatch || (allowsAsyncCommit(op) && wallets.has(op.org))

function nameOf(op: WalletOp): string {
  if (op.kind === 'reserve') return `${op.org} ${op.ref}`
  return 'cause' in op ? op.cause : op.id
}

/** What comes after that is not heard: the operation is sent again, which is safe. */
async function withDeadline<T>(answer: Promise<T>, answerMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ApiError('database_unavailable')), answerMs)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
