// The run that is under way. Its key and its body are kept before the first byte is sent; whatever happens then, a dropped
// network, a closed tab, a press on Stop, the same key brings the outcome, and nothing is done or paid twice.
import { resumable, retryable } from '@cowrie/sdk'
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
    /** The step in progress is being finished. */
    | 'stopping'
    /** The connection was lost: what became of it is being asked. */
    | 'checking'
    /** Another tab of this browser has it. */
    | 'elsewhere'
    | 'done'
    | 'refused'
  readonly isStopped: boolean
  /** It may be under way: then a service that is merely busy has said nothing about it. */
  readonly mayHaveBegun: boolean
  readonly failure: ApiFailure | null
  readonly shown: Shown | null
}

type Noted = Pick<Job, 'order' | 'askedAt' | 'ceilingMinor' | 'isStopped'> & { id: string | null }
export type Left = Noted & { key: string }

const KIND = 'agent-run'
/** What is older is not sent again by itself: nobody expects it to begin any more. */
const FRESH_MS = 60 * 60_000
const RUN_MS = 11.5 * 60_000
const LOOP_BEGIN_MS = 60_000
const WAITS_MS = [1_000, 2_000, 4_000, 8_000]
/** By then the service has noticed that we hung up, and does not refuse the question what became of it. */
const NOTICED_AFTER_MS = 500
/** With the longest of these waits, about as long as a loop may take. */
const TRIES_MAX = 220

const current = signal<Job | null>(null)
export const job: ReadonlySignal<Job | null> = current

/** Ends the attempt that is under way, if there is one. */
let attempt: AbortController | null = null

export const isUnderWay = (known: Job | null): boolean =>
  known !== null && known.state !== 'done' && known.state !== 'refused'

/** Whether another organisation of the reader has one under way in this tab: one at a time. */
export const isTaken = (owner: string): boolean => isUnderWay(current.value) && current.value?.owner !== owner

export async function begin(owner: string, order: Order, ceilingMinor: bigint): Promise<void> {
  if (isUnderWay(current.peek())) return
  const record: Noted = { order, ceilingMinor, askedAt: Date.now(), isStopped: false, id: null }
  const key = newKey()
  take(owner, key, record, 'working')
  await keep(owner, KIND, key, record)
  await holding(key, work)
}

/** Picks up what an earlier visit has begun. What is too old for that is handed back. */
export async function pickUp(owner: string): Promise<Left[]> {
  const all = await allKept<Noted>(owner, KIND)
  const isFresh = ({ at }: { at: number }) => Date.now() - at < FRESH_MS
  const [next] = all.filter(isFresh)
  if (next && !isUnderWay(current.peek())) {
    take(owner, next.id, next.value, next.value.isStopped ? 'stopping' : 'checking')
    void holding(
      next.id,
      // Another tab may have seen its end meanwhile: what is not kept any more is not sent any more.
      async () => ((await kept(owner, KIND, next.id)) ? work() : leave()),
      () => change({ state: 'elsewhere' }),
    )
  }
  return all.filter((each) => !isFresh(each)).map(({ id, value }) => ({ ...value, key: id }))
}

export const forget = (owner: string, key: string): Promise<void> => drop(owner, KIND, key)

/** A loop ends after the step that it is at; a single run is one step and goes on to its end. */
export function stop(): void {
  const known = current.peek()
  if (known?.state !== 'working' || known.order.kind === 'run') return
  change({ state: 'stopping', isStopped: true })
  void remember()
  attempt?.abort()
}

/** Puts an ended one away, so that another can be asked for. */
export function putAway(): void {
  if (!isUnderWay(current.peek())) current.value = null
}

/** Asks again about one that was given up on. */
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

/** Until an end is known. */
async function work(): Promise<void> {
  for (let tries = 0; ; tries++) {
    const known = current.peek()
    // Under another name the same key would be another intent.
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

/** By then the money of a single run is held. */
const HELD_AFTER_MS = 600

/** The service has begun: from now on there is a run with a name. One that was stopped before it had begun ends here. */
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
  // Who has signed out meanwhile, or works elsewhere, hears nothing of it.
  if (nameOf(session.peek()) === owner) announce(t('The run has ended.'))
}

/** What was decided is over; what was not is kept, to be asked about again. */
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
