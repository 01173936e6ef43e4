// Sends a request until its outcome is known. A request with an idempotency key is retried with the same body. One without a key
// is sent once, because a retry could be charged twice.

import type { Replicas } from '../replicas.ts'
import { callAndRecord, type EventLog } from './event-log.ts'
import type { Intent } from './intents.ts'
import type { EventName, ObservedCharges } from './observed-charges.ts'

const RETRY_FOR_MS = 360_000
const CALL_MS = 150_000
const FAILURES_MAX = 10
/** A running key becomes stale after this time: SERVICE_IDEMPOTENCY_STALE_MINUTES. */
const STALE_MS = 60_000

export type RetryContext = {
  readonly replicas: Replicas
  readonly observed: ObservedCharges
  readonly bearer: string
  readonly random: () => number
}

/** The result of one attempt. `later`: still in progress. `failed`: free of charge, may be retried. */
type AttemptResult = 'answered' | 'left' | 'lost' | 'later' | 'failed' | 'refused'

/** Makes the first attempt. `rest` is the promise of the retries, so that the customer can continue meanwhile. */
export async function retryUntilKnown(
  context: RetryContext,
  intent: Intent,
): Promise<{ isAnswered: boolean; rest: Promise<void> }> {
  const { observed } = context
  const startedMs = performance.now()
  if (intent.key !== null) observed.keyed.add(intent.prompt)
  const { result, eventLog } = await attempt(context, intent, intent.leavesAfterMs)
  const isAnswered = result === 'answered' || result === 'refused'
  const isOver = isAnswered || (result === 'failed' && intent.key === null)
  // Without a pause, a customer without money would only send refused requests.
  if (result === 'refused') await sleep(1_000)
  if (isOver) return { isAnswered, rest: finish(context, intent, result, eventLog) }
  if (intent.key !== null) return { isAnswered, rest: retry(context, intent, result, startedMs) }
  count(context, 'not retried')
  return { isAnswered, rest: Promise.resolve() }
}

async function retry(
  context: RetryContext,
  intent: Intent,
  first: AttemptResult,
  startedMs: number,
): Promise<void> {
  const { observed } = context
  let failures = first === 'failed' ? 1 : 0
  let wasLost = first === 'lost'
  while (performance.now() - startedMs < RETRY_FOR_MS) {
    await sleep(200 + context.random() * 1_300)
    count(context, 'retries')
    const { result, eventLog } = await attempt(context, intent, null)
    wasLost ||= result === 'lost'
    if (result === 'failed') failures++
    const isOver = result === 'answered' || result === 'refused' || failures >= FAILURES_MAX
    if (!isOver) continue
    if (result === 'answered' && wasLost && performance.now() - startedMs > STALE_MS)
      count(context, 'takeovers')
    return finish(context, intent, result, eventLog)
  }
  observed.contradictions.push(
    `${intent.path} had no final answer within ${RETRY_FOR_MS} ms: ${intent.prompt}`,
  )
}

/** Records the outcome. Some requests are repeated to check that the replay is identical. */
async function finish(
  context: RetryContext,
  intent: Intent,
  result: AttemptResult,
  eventLog: EventLog,
): Promise<void> {
  const { observed, random } = context
  if (result !== 'answered') {
    observed.free.add(intent.prompt)
    if (result === 'refused') count(context, 'refusals')
    return
  }
  count(context, 'answers')
  if (intent.key === null || random() > 0.3) return
  const again = await attempt(context, intent, null)
  if (again.result === 'lost') return
  count(context, 'replays')
  if (again.eventLog.lastText !== eventLog.lastText)
    observed.contradictions.push(
      `${intent.prompt} returned ${eventLog.lastText.slice(0, 300)} and then ${again.eventLog.lastText.slice(0, 300)}`,
    )
}

async function attempt(
  context: RetryContext,
  intent: Intent,
  leavesAfterMs: number | null,
): Promise<{ result: AttemptResult; eventLog: EventLog }> {
  const { replicas, observed, bearer } = context
  const leaving = new AbortController()
  const timer = setTimeout(() => leaving.abort(), leavesAfterMs ?? CALL_MS)
  const eventLog = await callAndRecord(await replicas.address(), {
    ...{ path: intent.path, body: intent.body, bearer, key: intent.key, signal: leaving.signal },
    onFrame: (_, number) => {
      if (number === intent.stop?.atFrame) void stop(context, intent.stop.path)
    },
  })
  clearTimeout(timer)
  intent.recordSteps(observed, eventLog.frames)
  const result = resultOf(context, intent, eventLog, leaving.signal.aborted)
  if (result === 'lost') count(context, 'lost connections')
  if (result === 'failed') count(context, 'free failures')
  if (result === 'left') count(context, 'closed early')
  const isUnobserved = result === 'lost' || result === 'left'
  const completions = observed.completions.get(bearer)
  if (isUnobserved && completions && intent.path.startsWith('/v1/')) completions.unobserved++
  return { result, eventLog }
}

const FREE_CODES = new Set(['upstream_failed', 'upstream_unavailable'])
const REFUSING_CODES = new Set(['insufficient_funds', 'member_cap_reached', 'budget_too_low'])
// A slow machine may return `busy`. A loop counts against its organisation's limit until its lease ends.
const LATER_CODES = new Set([
  'idempotency_in_progress',
  'thread_busy',
  'too_many_loops',
  'work_ended',
  'busy',
])
// Codes of the proxy: a replica died, or none is available.
const LOST_CODES = new Set(['answer_lost', 'restarting'])

function resultOf(
  { observed }: RetryContext,
  intent: Intent,
  eventLog: EventLog,
  hasLeft: boolean,
): AttemptResult {
  if (intent.record(observed, eventLog) !== null) return 'answered'
  if (!eventLog.isWhole || eventLog.frames.length === 0) return hasLeft ? 'left' : 'lost'
  const code = codeIn(eventLog)
  if (LOST_CODES.has(code)) return 'lost'
  if (FREE_CODES.has(code)) return 'failed'
  if (LATER_CODES.has(code)) return 'later'
  if (REFUSING_CODES.has(code)) return 'refused'
  // Only replicas are killed, so every other error is a violation.
  observed.contradictions.push(
    `${intent.path} returned ${eventLog.status} ${eventLog.lastText.slice(0, 300)}: ${intent.prompt}`,
  )
  return 'lost'
}

/** The OpenAI-compatible API nests the code one level deeper. */
function codeIn({ frames }: EventLog): string {
  const last = frames.findLast(({ done }) => done === undefined)
  const { code, error } = last ?? {}
  const inner = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return String(code ?? inner ?? '')
}

/** The stop request may arrive too late or not at all. */
async function stop({ replicas, bearer, observed }: RetryContext, path: string): Promise<void> {
  const signal = AbortSignal.timeout(CALL_MS)
  const call = { path, body: {}, bearer, key: null, signal, onFrame: () => undefined }
  const { status } = await callAndRecord(await replicas.address(), call)
  if (status === 200) observed.counts.stops++
}

function count({ observed }: RetryContext, event: EventName): void {
  observed.counts[event]++
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
