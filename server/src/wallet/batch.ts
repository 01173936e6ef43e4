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
}

const BATCH_MAX = 256
const WAITING_MAX = 20_000
const ATTEMPTS = 3
const PAUSE_MS = 25
/** Longer than a database that is there takes to answer or to refuse: beyond it the connection is as good as lost. */
const ANSWER_MS = 15_000
const APART_AT_ONCE = 4
/** So many wallets are not held by somebody: then it is the database that is slow, and none of them is to blame. */
const STUCK_MAX = 1_000

/**
 * `apply` runs one batch in one transaction. Every operation must be safe to repeat: a batch whose answer was lost is
 * sent again, and what it did the first time is then told again.
 */
export function createBatcher(
  apply: (ops: readonly Op[]) => Promise<Verdict[]>,
  inFlightMax = 3,
  answerMs = ANSWER_MS,
): Batcher {
  const queue: Waiting[] = []
  // Neighbours of one that the database refused, and whoever comes for a wallet that is stuck: each goes by itself.
  const apart: Waiting[] = []
  // A wallet in flight is locked: whoever comes meanwhile would only wait for it in the database, and hold a connection.
  const busy = new Set<string>()
  // Wallets that may be held by somebody for long, until one of theirs gets through: nobody else waits with them.
  const stuck = new Set<string>()
  let inFlight = 0
  let apartInFlight = 0

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

  function pumpApart(): void {
    while (apartInFlight < APART_AT_ONCE && apart.length > 0) {
      const place = apart.findIndex(({ op }) => !busy.has(op.org))
      if (place < 0) return
      apartInFlight++
      void send(apart.splice(place, 1)).finally(() => {
        apartInFlight--
        pumpAll()
      })
    }
  }

  /** Those apart first: on a wallet that is always wanted they would never have their turn. */
  function pumpAll(): void {
    pumpApart()
    pump()
    pumpApart()
  }

  /** The longest-waiting operations whose wallets are free. A hold or cause is named at most once. */
  function take(): Waiting[] {
    const batch: Waiting[] = []
    const named = new Set<string>()
    const wallets = new Set<string>()
    let isLightBatch: boolean | undefined
    let kept = 0
    for (const each of queue) {
      if (stuck.has(each.op.org)) {
        apart.push(each)
        continue
      }
      const name = nameOf(each.op)
      const goesAlong = isLightBatch === undefined || mayGoAlong(each.op, isLightBatch, wallets)
      if (batch.length === BATCH_MAX || !goesAlong || busy.has(each.op.org) || named.has(name)) {
        queue[kept++] = each
        continue
      }
      isLightBatch ??= isLight(each.op)
      wallets.add(each.op.org)
      batch.push(each)
      named.add(name)
    }
    queue.length = kept
    return batch
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    for (const { op } of batch) busy.add(op.org)
    try {
      const verdicts = await inTime(apply(batch.map(({ op }) => op)), answerMs)
      for (const { op } of batch) stuck.delete(op.org)
      for (const [n, { resolve }] of batch.entries()) resolve(verdicts[n] as Verdict)
    } catch (error) {
      for (const each of batch) again(each, error, batch.length)
    }
    for (const { op } of batch) busy.delete(op.org)
  }

  /**
   * An outage passes, and is waited for briefly. A wallet that somebody holds is waited for by those that need it and by
   * nobody else. Anything else is somebody's fault: alone it turns out whose.
   */
  function again(each: Waiting, error: unknown, together: number): void {
    const passes = error instanceof ApiError
    each.attempt++
    if (passes ? each.attempt === ATTEMPTS : together === 1) {
      each.reject(error)
      return
    }
    const isHeld = passes && error.code === 'busy'
    if (isHeld) {
      if (stuck.size >= STUCK_MAX) stuck.clear()
      stuck.add(each.op.org)
    }
    setTimeout(() => enter(each, isHeld || !passes), passes ? PAUSE_MS * each.attempt : 0)
  }

  function enter(each: Waiting, goesApart: boolean): void {
    ;(goesApart ? apart : queue).push(each)
    if (goesApart) pumpApart()
    else pump()
  }

  return {
    run: (op) =>
      new Promise((resolve, reject) => {
        // Beyond this nobody would still be there when their turn comes.
        if (queue.length + apart.length >= WAITING_MAX) return reject(new ApiError('busy'))
        enter({ op, resolve, reject, attempt: 0 }, stuck.has(op.org))
      }),
    get waiting() {
      return queue.length + apart.length
    },
  }
}

/** Those that need not wait for the disk go together, and not with those that do. */
export const isLight = ({ kind }: Op): boolean => kind === 'reserve' || kind === 'extend'

/** Except on a wallet that is under way with the others: there it would have to wait for them anyway. */
const mayGoAlong = (op: Op, isLightBatch: boolean, wallets: ReadonlySet<string>): boolean =>
  isLight(op) === isLightBatch || (isLight(op) && wallets.has(op.org))

function nameOf(op: Op): string {
  if (op.kind === 'reserve') return `${op.org} ${op.ref}`
  return 'cause' in op ? op.cause : op.id
}

/** What comes after that is not heard: the operation is sent again, which is safe. */
async function inTime<T>(answer: Promise<T>, answerMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ApiError('database_unavailable')), answerMs)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
