// An intent until it is answered for good. Under a key, whatever got no answer is asked again with the same words; without
// one nobody asks twice, because that could be paid twice.

import type { Replicas } from '../replicas.ts'
import { callAndRecord, type EventLog } from './event-log.ts'
import type { Intent } from './intents.ts'
import type { EventName, ObservedCharges } from './observed-charges.ts'

const PATIENCE_MS = 360_000
const CALL_MS = 150_000
const FAILURES_MAX = 10
/** A key that was left running is respected for so long: SERVICE_IDEMPOTENCY_STALE_MINUTES. */
const STALE_MS = 60_000

export type RetryContext = {
  readonly replicas: Replicas
  readonly told: ObservedCharges
  readonly bearer: string
  readonly random: () => number
}

/** How one attempt ended. `later`: it is still worked on; `failed`: it cost nothing and may be asked again. */
type AttemptResult = 'told' | 'left' | 'lost' | 'later' | 'failed' | 'refused'

/** The first attempt. What is left to be done after it is another promise, so that its customer can go on meanwhile. */
export async function retryUntilKnown(
  pursuer: RetryContext,
  intent: Intent,
): Promise<{ isAnswered: boolean; rest: Promise<void> }> {
  const { told } = pursuer
  const startedMs = performance.now()
  if (intent.key !== null) told.keyed.add(intent.prompt)
  const { ending, heard } = await attempt(pursuer, intent, intent.leavesAfterMs)
  const isAnswered = ending === 'told' || ending === 'refused'
  const isOver = isAnswered || (ending === 'failed' && intent.key === null)
  // Whoever has no more money would otherwise do nothing but ask.
  if (ending === 'refused') await sleep(1_000)
  if (isOver) return { isAnswered, rest: finish(pursuer, intent, ending, heard) }
  if (intent.key !== null) return { isAnswered, rest: retry(pursuer, intent, ending, startedMs) }
  count(pursuer, 'not retried')
  return { isAnswered, rest: Promise.resolve() }
}

async function retry(
  pursuer: RetryContext,
  intent: Intent,
  first: AttemptResult,
  startedMs: number,
): Promise<void> {
  const { told } = pursuer
  let failures = first === 'failed' ? 1 : 0
  let wasLost = first === 'lost'
  while (performance.now() - startedMs < PATIENCE_MS) {
    await sleep(200 + pursuer.random() * 1_300)
    count(pursuer, 'retries')
    const { ending, heard } = await attempt(pursuer, intent, null)
    wasLost ||= ending === 'lost'
    if (ending === 'failed') failures++
    const isOver = ending === 'told' || ending === 'refused' || failures >= FAILURES_MAX
    if (!isOver) continue
    if (ending === 'told' && wasLost && performance.now() - startedMs > STALE_MS) count(pursuer, 'takeovers')
    return finish(pursuer, intent, ending, heard)
  }
  told.contradictions.push(`${intent.path} had no last word within ${PATIENCE_MS} ms: ${intent.prompt}`)
}

/** Nothing more will be asked, except that some ask what they know already. */
async function finish(
  pursuer: RetryContext,
  intent: Intent,
  ending: AttemptResult,
  heard: EventLog,
): Promise<void> {
  const { told, random } = pursuer
  if (ending !== 'told') {
    told.free.add(intent.prompt)
    if (ending === 'refused') count(pursuer, 'refusals')
    return
  }
  count(pursuer, 'answers')
  if (intent.key === null || random() > 0.3) return
  const again = await attempt(pursuer, intent, null)
  if (again.ending === 'lost') return
  count(pursuer, 'replays')
  if (again.heard.lastText !== heard.lastText)
    told.contradictions.push(
      `${intent.prompt} was told ${heard.lastText.slice(0, 300)} and then ${again.heard.lastText.slice(0, 300)}`,
    )
}

async function attempt(
  pursuer: RetryContext,
  intent: Intent,
  leavesAfterMs: number | null,
): Promise<{ ending: AttemptResult; heard: EventLog }> {
  const { replicas, told, bearer } = pursuer
  const leaving = new AbortController()
  const timer = setTimeout(() => leaving.abort(), leavesAfterMs ?? CALL_MS)
  const heard = await callAndRecord(await replicas.address(), {
    ...{ path: intent.path, body: intent.body, bearer, key: intent.key, signal: leaving.signal },
    onFrame: (_, number) => {
      if (number === intent.stop?.atFrame) void stop(pursuer, intent.stop.path)
    },
  })
  clearTimeout(timer)
  intent.recordSteps(told, heard.frames)
  const ending = endingOf(pursuer, intent, heard, leaving.signal.aborted)
  if (ending === 'lost') count(pursuer, 'lost connections')
  if (ending === 'failed') count(pursuer, 'free failures')
  if (ending === 'left') count(pursuer, 'closed early')
  const isUnheard = ending === 'lost' || ending === 'left'
  const door = told.completions.get(bearer)
  if (isUnheard && door && intent.path.startsWith('/v1/')) door.unheard++
  return { ending, heard }
}

const FREE_CODES = new Set(['upstream_failed', 'upstream_unavailable'])
const REFUSING_CODES = new Set(['insufficient_funds', 'member_cap_reached', 'budget_too_low'])
// A slow machine may answer that it is busy. A loop counts against its organisation's limit until its lease ends.
const LATER_CODES = new Set([
  'idempotency_in_progress',
  'thread_busy',
  'too_many_loops',
  'work_ended',
  'busy',
])
// The proxy in front of a replica that died, or while none is there.
const LOST_CODES = new Set(['answer_lost', 'restarting'])

function endingOf({ told }: RetryContext, intent: Intent, heard: EventLog, hasLeft: boolean): AttemptResult {
  if (intent.record(told, heard) !== null) return 'told'
  if (!heard.isWhole || heard.frames.length === 0) return hasLeft ? 'left' : 'lost'
  const code = codeIn(heard)
  if (LOST_CODES.has(code)) return 'lost'
  if (FREE_CODES.has(code)) return 'failed'
  if (LATER_CODES.has(code)) return 'later'
  if (REFUSING_CODES.has(code)) return 'refused'
  // Nothing but replicas dies here, so nothing else may go wrong.
  told.contradictions.push(
    `${intent.path} said ${heard.status} ${heard.lastText.slice(0, 300)}: ${intent.prompt}`,
  )
  return 'lost'
}

/** Refusals of the compatible door have theirs one level further down. */
function codeIn({ frames }: EventLog): string {
  const last = frames.findLast(({ done }) => done === undefined)
  const { code, error } = last ?? {}
  const inner = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return String(code ?? inner ?? '')
}

/** Whether it is heard in time, or at all, is a matter of luck. */
async function stop({ replicas, bearer, told }: RetryContext, path: string): Promise<void> {
  const signal = AbortSignal.timeout(CALL_MS)
  const call = { path, body: {}, bearer, key: null, signal, onFrame: () => undefined }
  const { status } = await callAndRecord(await replicas.address(), call)
  if (status === 200) told.counts.stops++
}

function count({ told }: RetryContext, happening: EventName): void {
  told.counts[happening]++
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
