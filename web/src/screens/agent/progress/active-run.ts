import { resumable, retryable } from '@cowrie/sdk'
// The active run. Its idempotency key and body are stored before the first byte is sent. After a lost
// network, a closed tab or a stop, the same key returns the outcome, and nothing is done or paid twice.
import { type ReadonlySignal, signal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure, problem } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import { newKey } from '../../../data/paid-request.ts'
import { nameOf, recheck, session } from '../../../data/session.ts'
import { allKept, drop, keep, kept } from '../../../data/storage/browser-store.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import type { Order } from '../composer/task.ts'
import { keepBases } from '../result/original-files.ts'
import { ofLoop, ofRun, type Shown } from '../result/run-view.ts'
import { pause } from './interruptible-sleep.ts'
import { after, NOTHING_YET, type Progress } from './progress.ts'
import { holding } from './tab-lock.ts'

export type Job = {
  readonly owner: string
  readonly key: string
  readonly order: Order
  readonly askedAt: number
  readonly ceilingMinor: bigint
  readonly progress: Progress
  readonly state:
    | 'working'
    /** The current step is being finished. */
    | 'stopping'
    /** The connection was lost: the outcome is being requested. */
    | 'checking'
    /** Another tab of this browser works on it. */
    | 'elsewhere'
    | 'done'
    | 'refused'
  readonly isStopped: boolean
  /** It may be running: then an overload error says nothing about the outcome. */
  readonly mayHaveBegun: boolean
  readonly failure: ApiFailure | null
  readonly shown: Shown | null
}

type Noted = Pick<Job, 'order' | 'askedAt' | 'ceilingMinor' | 'isStopped'> & { id: string | null }
export type Left = Noted & { key: string }

const KIND = 'agent-run'
/** Older runs are not sent again by themselves: the user no longer expects them to start. */
const FRESH_MS = 60 * 60_000
const RUN_MS = 11.5 * 60_000
const LOOP_BEGIN_MS = 60_000
const WAITS_MS = [1_000, 2_000, 4_000, 8_000]
/** By then the service has noticed that we hung up, and does not refuse the question what became of it. */
const NOTICED_AFTER_MS = 500
/** With the longest wait, about as long as a loop may take. */
const TRIES_MAX = 220

const current = signal<Job | null>(null)
export const job: ReadonlySignal<Job | null> = current

/** Aborts the current attempt. */
let attempt: AbortController | null = null

export const isUnderWay = (known: Job | null): boolean =>
  known !== null && known.state !== 'done' && known.state !== 'refused'

/** Whether this tab has an active run of another organisation. One at a time. */
export const isTaken = (owner: string): boolean => isUnderWay(current.value) && current.value?.owner !== owner

export async function begin(owner: string, order: Order, ceilingMinor: bigint): Promise<void> {
  if (isUnderWay(current.peek())) return
  const record: Noted = { order, ceilingMinor, askedAt: Date.now(), isStopped: false, id: null }
  const key = newKey()
  take(owner, key, record, 'working')
  await keep(owner, KIND, key, record)
  await holding(key, work)
}

/** Resumes runs of an earlier visit. Returns those that are too old for it. */
export async function pickUp(owner: string): Promise<Left[]> {
  const all = await allKept<Noted>(owner, KIND)
  const isFresh = ({ at }: { at: number }) => Date.now() - at < FRESH_MS
  const [next] = all.filter(isFresh)
  if (next && !isUnderWay(current.peek())) {
    take(owner, next.id, next.value, next.value.isStopped ? 'stopping' : 'checking')
    void holding(
      next.id,
      // Another tab may have finished it meanwhile: a run that is no longer stored is not sent again.
      async () => ((await kept(owner, KIND, next.id)) ? work() : leave()),
      () => change({ state: 'elsewhere' }),
    )
  }
  return all.filter((each) => !isFresh(each)).map(({ id, value }) => ({ ...value, key: id }))
}

export const forget = (owner: string, key: string): Promise<void> => drop(owner, KIND, key)

/** A loop ends after its current step. A single run has one step and runs to its end. */
export function stop(): void {
  const known = current.peek()
  if (known?.state !== 'working' || known.order.kind === 'run') return
  change({ state: 'stopping', isStopped: true })
  void remember()
  attempt?.abort()
}

/** Closes a finished run, so that another can start. */
export function putAway(): void {
  if (!isUnderWay(current.peek())) current.value = null
}

/** Requests the outcome again after giving up. */
export async function askAgain(): Promise<void> {
  const known = current.peek()
  if (known?.state !== 'refused') return
  change({ state: 'checking', failure: null, mayHaveBegun: true })
  await holding(known.key, work)
}

function take(owner: string, key: string, { id, ...record }: Noted, state: Job['state']): void {
  const progress = { ...NOTHING_YET, id }
  const mayHaveBegun = state !== 'working'
  current.value = { ...record, owner, key, state, mayHaveBegun, progress, failure: null, shown: null }
}

/** Repeats until the outcome is known. */
async function work(): Promise<void> {
  for (let tries = 0; ; tries++) {
    const known = current.peek()
    // For another user the same key would be another intent.
    if (!known || nameOf(session.peek()) !== known.owner) return leave()
    attempt = new AbortController()
    try {
      return await end(known, await send(known, attempt.signal))
    } catch (error) {
      if (attempt.signal.aborted) {
        change({ mayHaveBegun: true })
        await pause(NOTICED_AFTER_MS)
        continue
      }
      const failure = asFailure(error)
      const { mayHaveBegun } = current.peek() ?? known
      if (!isOpen(failure, mayHaveBegun) || tries >= TRIES_MAX)
        return refuse(current.peek() ?? known, failure)
      change({ mayHaveBegun: true })
      if (current.peek()?.state === 'working') change({ state: 'checking' })
      await pause(waitAfter(failure, tries))
    } finally {
      void recheck()
    }
  }
}

function leave(): void {
  current.value = null
}

async function send({ order, key, askedAt }: Job, signal: AbortSignal): Promise<Shown> {
  const options = { idempotencyKey: key, signal, retries: 0 }
  if (order.kind === 'run') {
    const held = setTimeout(() => void recheck(), HELD_AFTER_MS)
    try {
      return ofRun(await api.agent.run(order.body, { ...options, timeoutMs: RUN_MS }), { order, askedAt })
    } finally {
      clearTimeout(held)
    }
  }
  for await (const frame of api.agent.runLoop(order.body, { ...options, timeoutMs: LOOP_BEGIN_MS })) {
    const known = current.peek()
    if (known) change({ progress: after(known.progress, frame), mayHaveBegun: true })
    if ('start' in frame) begun()
    if ('step' in frame) void recheck()
    if ('result' in frame) return ofLoop(frame, { order, askedAt })
  }
  throw new ApiFailure({ status: 0, code: 'stream_cut', message: 'The connection broke.' })
}

/** By then the service holds the money of a single run. */
const HELD_AFTER_MS = 600

/** The service has started the run. A run that was stopped before this ends here. */
function begun(): void {
  void recheck()
  void remember()
  if (current.peek()?.isStopped) attempt?.abort()
  else change({ state: 'working' })
}

async function remember(): Promise<void> {
  const known = current.peek()
  if (!known) return
  const { owner, key, order, askedAt, ceilingMinor, isStopped, progress } = known
  await keep(owner, KIND, key, { order, askedAt, ceilingMinor, isStopped, id: progress.id } satisfies Noted)
}

async function end({ owner, key, order, ceilingMinor }: Job, shown: Shown): Promise<void> {
  const { steps = [] } = current.peek()?.progress ?? {}
  await keepBases(owner, shown.id, { files: order.body.context ?? [], steps, ceilingMinor })
  await drop(owner, KIND, key)
  await recheck()
  change({ state: 'done', shown })
  // No announcement after a sign-out or a switch of organisation.
  if (nameOf(session.peek()) === owner) announce(t('The run has ended.'))
}

/** A decided run is removed; an undecided one is kept and requested again. */
async function refuse({ owner, key, mayHaveBegun }: Job, failure: ApiFailure): Promise<void> {
  if (!isUnknown(failure, mayHaveBegun)) await drop(owner, KIND, key)
  change({ state: 'refused', failure })
}

/** Whether the same call is sent again: it may have begun, and a later answer can tell. */
const isOpen = (failure: ApiFailure, mayHaveBegun: boolean): boolean =>
  retryable(failure) && isUnknown(failure, mayHaveBegun)

export const isUnknown = (failure: ApiFailure, mayHaveBegun: boolean): boolean =>
  resumable(failure, { isFirst: !mayHaveBegun })

const waitAfter = ({ code, retryAfter }: ApiFailure, tries: number): number =>
  code === 'network_error' && !isOnline.peek()
    ? Number.POSITIVE_INFINITY
    : Math.max((retryAfter ?? 0) * 1_000, WAITS_MS[tries] ?? WAITS_MS.at(-1) ?? 0)

function change(by: Partial<Job>): void {
  const known = current.peek()
  if (known) current.value = { ...known, ...by }
}
