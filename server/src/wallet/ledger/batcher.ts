// Batches wallet operations: those that arrive while statements are in flight share the next one, each with its own result.
// An operation is answered after its commit. It does not wait while no statement of its kind is in flight.
import { ApiError } from '../../kernel/errors.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'
import { CROWD, crowdBatchSize } from './batch-size.ts'

export type Batcher = {
  /** Queues one operation. Resolves after the commit that contains it. */
  run(op: WalletOp): Promise<OpResult>
  readonly waiting: number
}

type StatementInFlight = { readonly isAsync: boolean; readonly size: number; readonly startedMs: number }

type QueuedOp = {
  readonly op: WalletOp
  readonly resolve: (result: OpResult) => void
  readonly reject: (error: unknown) => void
  attempt: number
}

const BATCH_MAX = 256
/**
 * A statement costs the database as much as ten operations. So one statement of each kind (with asynchronous or with durable commit)
 * runs at a time, and the operations that wait for it share the next one. In a crowd the kinds share statements too: see
 * `crowdBatchSize`. A slow statement, such as one that waits for a lock, delays others only this long.
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
  /** From this number of operations, waiting and in flight, those of both kinds share two statements. */
  readonly crowd: number
}

/** Operations that need not wait for the disk. Batches of them commit asynchronously. */
export const allowsAsyncCommit = ({ kind }: WalletOp): boolean => kind === 'reserve' || kind === 'extend'

const AT_ONCE: BatchFilling = { gatherMs: 0, allowsAsync: allowsAsyncCommit, crowd: CROWD }

/**
 * `apply` runs one batch in one transaction. Every operation must be idempotent: a batch whose reply was lost is sent
 * again, and then returns the results of the first time.
 */
export function createBatcher(
  apply: (ops: readonly WalletOp[]) => Promise<OpResult[]>,
  inFlightMax = 3,
  replyTimeoutMs = REPLY_TIMEOUT_MS,
  patienceMs = PATIENCE_MS,
  { gatherMs, allowsAsync, crowd }: BatchFilling = AT_ONCE,
): Batcher {
  const queue: QueuedOp[] = []
  // Operations that are sent alone: those of a batch that the database rejected, and those on blocked wallets.
  const isolated: QueuedOp[] = []
  // Wallets in flight are locked. Another statement on one would occupy a connection while it waits for the lock.
  const busy = new Set<string>()
  // Wallets that another transaction may lock for long. A wallet leaves the set when an operation on it succeeds.
  const blocked = new Set<string>()
  const statements = new Set<StatementInFlight>()
  /** Operations whose callers were answered in this turn of the event loop and may send the next ones in it. */
  let answered = 0
  let isolatedInFlight = 0
  let isWaiting = false
  let isGathering = false
  let isTurnEnding = false

  function pump(): void {
    if (gatherMs === 0) sendBatches()
    else if (!isGathering && queue.length > 0) {
      isGathering = true
      setTimeout(() => {
        isGathering = false
        sendBatches()
        pumpIsolated()
      }, gatherMs)
    }
  }

  function sendBatches(): void {
    while (statements.size < inFlightMax && queue.length > 0) {
      const batch = isCrowded() ? takeShare() : takeKind()
      if (!batch) {
        waitForStatement()
        break
      }
      const isAsync = batch.every(({ op }) => allowsAsync(op))
      const statement = { isAsync, size: batch.length, startedMs: performance.now() }
      statements.add(statement)
      void send(batch, () => {
        statements.delete(statement)
        answered += statement.size
        pumpAtEndOfTurn()
      })
    }
  }

  /** Operations of one turn of the event loop share a statement in a crowd. */
  function pumpAtEndOfTurn(): void {
    if (isTurnEnding) return
    isTurnEnding = true
    setImmediate(() => {
      isTurnEnding = false
      answered = 0
      pumpAll()
    })
  }

  function isCrowded(): boolean {
    let count = queue.length + answered
    for (const { size } of statements) count += size
    return count >= crowd
  }

  /** Operations wait for a statement in flight. They stop waiting when it is slow. */
  function waitForStatement(): void {
    if (isWaiting) return
    isWaiting = true
    const timer = setTimeout(() => {
      isWaiting = false
      pumpAll()
    }, patienceMs)
    timer.unref()
  }

  /** The statements in flight that are not slow. */
  function currentStatements(): StatementInFlight[] {
    const nowMs = performance.now()
    return [...statements].filter(({ startedMs }) => nowMs - startedMs < patienceMs)
  }

  function pumpIsolated(): void {
    while (isolatedInFlight < ISOLATED_IN_FLIGHT_MAX && isolated.length > 0) {
      const index = isolated.findIndex(({ op }) => !busy.has(op.org))
      if (index < 0) return
      isolatedInFlight++
      void send(isolated.splice(index, 1), () => {
        isolatedInFlight--
      })
    }
  }

  /** Isolated operations first: on a wallet in constant demand they would otherwise starve. */
  function pumpAll(): void {
    pumpIsolated()
    pump()
    pumpIsolated()
  }

  /** The next batch of a crowd: of both kinds, with all that waits for its wallets. */
  function takeShare(): QueuedOp[] | undefined {
    let ready = 0
    for (const { op } of queue) if (!busy.has(op.org)) ready++
    const sizes = currentStatements().map(({ size }) => size)
    const count = crowdBatchSize({ ready, inFlight: sizes, answered })
    if (count === 0) return undefined
    const wallets = new Set<string>()
    let taken = 0
    return take((op) => {
      if (taken >= count && !wallets.has(op.org)) return false
      wallets.add(op.org)
      taken++
      return true
    })
  }

  /**
   * The next batch of a kind that has no statement in flight. The kinds do not mix, except on a wallet of the batch: its lock would
   * make them wait anyway.
   */
  function takeKind(): QueuedOp[] | undefined {
    const current = currentStatements()
    const isOpen = (isAsync: boolean) => !current.some((each) => each.isAsync === isAsync)
    const open = { async: isOpen(true), durable: isOpen(false) }
    if (!open.async && !open.durable) return undefined
    const wallets = new Set<string>()
    let isAsyncBatch: boolean | undefined
    return take((op) => {
      const isAsync = allowsAsync(op)
      if (isAsyncBatch === undefined) {
        if (!open[isAsync ? 'async' : 'durable']) return false
        isAsyncBatch = isAsync
      } else if (isAsync !== isAsyncBatch && !(isAsync && wallets.has(op.org))) return false
      wallets.add(op.org)
      return true
    })
  }

  /**
   * The oldest operations that fit and whose wallets are not in flight. A batch names a hold or cause at most once. Undefined
   * without any.
   */
  function take(fits: (op: WalletOp) => boolean): QueuedOp[] | undefined {
    const batch: QueuedOp[] = []
    const named = new Set<string>()
    let kept = 0
    for (const each of queue) {
      if (blocked.has(each.op.org)) {
        isolated.push(each)
        continue
      }
      const name = nameOf(each.op)
      if (batch.length === BATCH_MAX || busy.has(each.op.org) || named.has(name) || !fits(each.op)) {
        queue[kept++] = each
        continue
      }
      batch.push(each)
      named.add(name)
    }
    queue.length = kept
    return batch.length > 0 ? batch : undefined
  }

  async function send(batch: readonly QueuedOp[], onEnd: () => void): Promise<void> {
    for (const { op } of batch) busy.add(op.org)
    const reply = (async () => apply(batch.map(({ op }) => op)))()
    const [outcome] = await Promise.allSettled([withDeadline(reply, replyTimeoutMs)])
    for (const { op } of batch) busy.delete(op.org)
    if (outcome.status === 'fulfilled') for (const { op } of batch) blocked.delete(op.org)
    onEnd()
    // The next statement starts before the callers of this one continue.
    pumpAll()
    for (const [n, each] of batch.entries())
      if (outcome.status === 'fulfilled') each.resolve(outcome.value[n] as OpResult)
      else retry(each, outcome.reason, batch.length)
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

  function enqueue(each: QueuedOp, isRejected: boolean): void {
    const isIsolated = isRejected || blocked.has(each.op.org)
    ;(isIsolated ? isolated : queue).push(each)
    if (isIsolated) pumpIsolated()
    else if (isCrowded()) pumpAtEndOfTurn()
    else pump()
  }

  return {
    run: (op) =>
      new Promise((resolve, reject) => {
        // The caller of a longer queue would have timed out before its turn.
        if (queue.length + isolated.length >= QUEUE_MAX) return reject(new ApiError('busy'))
        enqueue({ op, resolve, reject, attempt: 0 }, false)
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
