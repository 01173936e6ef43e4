// Batches wallet operations: those that arrive while statements are in flight share the next one, each with its own result.
// An operation is answered after its commit. It does not wait while no statement of its kind is in flight.
import { ApiError } from '../../kernel/errors.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'

export type Batcher = {
  /** Queues one operation. Resolves after the commit that contains it. */
  run(op: WalletOp): Promise<OpResult>
  readonly waiting: number
}

/** The statements in flight of one kind: with asynchronous or with durable commit. */
type Lane = { inFlight: number; startedMs: number }
const newLane = (): Lane => ({ inFlight: 0, startedMs: 0 })

type QueuedOp = {
  readonly op: WalletOp
  readonly resolve: (result: OpResult) => void
  readonly reject: (error: unknown) => void
  attempt: number
}

const BATCH_MAX = 256
/**
 * A statement costs the database as much as ten operations. So one statement of each kind runs at a time, and the operations
 * that wait for it share the next one. A slow statement, such as one that waits for a lock, delays others only this long.
 */
const PATIENCE_MS = 100
const QUEUE_MAX = 20_000
const ATTEMPTS = 3
const RETRY_DELAY_MS = 25
/** Longer than a reachable database takes to answer or to refuse. After it, the connection counts as lost. */
const REPLY_TIMEOUT_MS = 15_000
const ISOLATED_IN_FLIGHT_MAX = 4
/** With more blocked wallets than this, the database itself is slow, not those wallets. */
const BLOCKED_MAX = 1_000

/** How a batcher fills its statements where they cost more than a delay. */
export type BatchFilling = {
  /** Operations wait this long for others to share a statement with. */
  readonly gatherMs: number
  /** Whether an operation may be in a batch that commits asynchronously. Kinds that may not share a statement. */
  readonly allowsAsync: (op: WalletOp) => boolean
}

/** Operations that need not wait for the disk. Batches of them commit asynchronously. */
export const allowsAsyncCommit = ({ kind }: WalletOp): boolean => kind === 'reserve' || kind === 'extend'

const AT_ONCE: BatchFilling = { gatherMs: 0, allowsAsync: allowsAsyncCommit }

/**
 * `apply` runs one batch in one transaction. Every operation must be idempotent: a batch whose reply was lost is sent
 * again, and then returns the results of the first time.
 */
export function createBatcher(
  apply: (ops: readonly WalletOp[]) => Promise<OpResult[]>,
  inFlightMax = 3,
  replyTimeoutMs = REPLY_TIMEOUT_MS,
  patienceMs = PATIENCE_MS,
  { gatherMs, allowsAsync }: BatchFilling = AT_ONCE,
): Batcher {
  const queue: QueuedOp[] = []
  // Operations that are sent alone: those of a batch that the database rejected, and those on blocked wallets.
  const isolated: QueuedOp[] = []
  // Wallets in flight are locked. Another statement on one would occupy a connection while it waits for the lock.
  const busy = new Set<string>()
  // Wallets that another transaction may lock for long. A wallet leaves the set when an operation on it succeeds.
  const blocked = new Set<string>()
  const lanes = { async: newLane(), durable: newLane() }
  let isolatedInFlight = 0
  let isWaiting = false
  let isGathering = false

  function pump(): void {
    if (gatherMs === 0) sendBatches()
    else if (!isGathering && queue.length > 0) {
      isGathering = true
      setTimeout(() => {
        isGathering = false
        sendBatches()
      }, gatherMs)
    }
  }

  function sendBatches(): void {
    while (lanes.async.inFlight + lanes.durable.inFlight < inFlightMax && queue.length > 0) {
      const batch = take()
      if (!batch) {
        waitForLane()
        break
      }
      const lane = laneOf(batch)
      lane.inFlight++
      lane.startedMs = performance.now()
      void send(batch).finally(() => {
        lane.inFlight--
        pumpAll()
      })
    }
  }

  /** Operations wait for a statement of their kind. They stop waiting when it is slow. */
  function waitForLane(): void {
    if (isWaiting) return
    isWaiting = true
    const timer = setTimeout(() => {
      isWaiting = false
      pump()
    }, patienceMs)
    timer.unref()
  }

  const laneOf = ([first]: readonly QueuedOp[]): Lane => laneFor(first as QueuedOp)
  const laneFor = ({ op }: QueuedOp): Lane => (allowsAsync(op) ? lanes.async : lanes.durable)
  const isOpen = ({ inFlight, startedMs }: Lane): boolean =>
    inFlight === 0 || performance.now() - startedMs >= patienceMs

  function pumpIsolated(): void {
    while (isolatedInFlight < ISOLATED_IN_FLIGHT_MAX && isolated.length > 0) {
      const index = isolated.findIndex(({ op }) => !busy.has(op.org))
      if (index < 0) return
      isolatedInFlight++
      void send(isolated.splice(index, 1)).finally(() => {
        isolatedInFlight--
        pumpAll()
      })
    }
  }

  /** Isolated operations first: on a wallet in constant demand they would otherwise starve. */
  function pumpAll(): void {
    pumpIsolated()
    pump()
    pumpIsolated()
  }

  /**
   * The oldest operations whose wallets are not in flight, of a kind that may start a statement now. A batch names a hold or
   * cause at most once. Undefined without any.
   */
  function take(): QueuedOp[] | undefined {
    const open = { async: isOpen(lanes.async), durable: isOpen(lanes.durable) }
    if (!open.async && !open.durable) return undefined
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
      const fits =
        isAsyncBatch === undefined
          ? open[allowsAsync(each.op) ? 'async' : 'durable']
          : fitsBatch(each.op, isAsyncBatch, wallets)
      if (batch.length === BATCH_MAX || !fits || busy.has(each.op.org) || named.has(name)) {
        queue[kept++] = each
        continue
      }
      isAsyncBatch ??= allowsAsync(each.op)
      wallets.add(each.op.org)
      batch.push(each)
      named.add(name)
    }
    queue.length = kept
    return batch.length > 0 ? batch : undefined
  }

  /** Asynchronous and durable operations do not mix, except on a wallet of the batch: its lock would make them wait anyway. */
  const fitsBatch = (op: WalletOp, isAsyncBatch: boolean, wallets: ReadonlySet<string>): boolean =>
    allowsAsync(op) === isAsyncBatch || (allowsAsync(op) && wallets.has(op.org))

  async function send(batch: readonly QueuedOp[]): Promise<void> {
    for (const { op } of batch) busy.add(op.org)
    try {
      const results = await withDeadline(apply(batch.map(({ op }) => op)), replyTimeoutMs)
      for (const { op } of batch) blocked.delete(op.org)
      for (const [n, { resolve }] of batch.entries()) resolve(results[n] as OpResult)
    } catch (error) {
      for (const each of batch) retry(each, error, batch.length)
    }
    for (const { op } of batch) busy.delete(op.org)
  }

  /**
   * An outage is retried after a short delay. After a lock timeout, the operations are retried alone, so that only those on
   * the locked wallet wait for it. An unexpected error may come from any operation of the batch: each is retried alone.
   */
  function retry(each: QueuedOp, error: unknown, batchSize: number): void {
    const isTemporary = error instanceof ApiError
    each.attempt++
    if (isTemporary ? each.attempt === ATTEMPTS : batchSize === 1) {
      each.reject(error)
      return
    }
    const isLocked = isTemporary && error.code === 'busy'
    if (isLocked) {
      if (blocked.size >= BLOCKED_MAX) blocked.clear()
      blocked.add(each.op.org)
    }
    setTimeout(() => enqueue(each, isLocked || !isTemporary), isTemporary ? RETRY_DELAY_MS * each.attempt : 0)
  }

  function enqueue(each: QueuedOp, isIsolated: boolean): void {
    ;(isIsolated ? isolated : queue).push(each)
    if (isIsolated) pumpIsolated()
    else pump()
  }

  return {
    run: (op) =>
      new Promise((resolve, reject) => {
        // The caller of a longer queue would have timed out before its turn.
        if (queue.length + isolated.length >= QUEUE_MAX) return reject(new ApiError('busy'))
        enqueue({ op, resolve, reject, attempt: 0 }, blocked.has(op.org))
      }),
    get waiting() {
      return queue.length + isolated.length
    },
  }
}

function nameOf(op: WalletOp): string {
  if (op.kind === 'reserve') return `${op.org} ${op.ref}`
  return 'cause' in op ? op.cause : op.id
}

/** A later reply is ignored. The operations are sent again, which is safe because they are idempotent. */
async function withDeadline<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ApiError('database_unavailable')), timeoutMs)
  try {
    return await Promise.race([reply, timeout])
  } finally {
    clearTimeout(timer)
  }
}
