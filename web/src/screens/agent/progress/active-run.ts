import { resumable, retryable } from '@cowrie/sdk'
// The active run. Its idempotency key and body are stored before the first byte is sent. After a lost
// network, a closed tab or a stop, the same key returns the outcome, and nothing is done or paid twice.
import { type ReadonlySignal, signal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure, problem } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import { newKey } from '../../../data/paid-request.ts'
import { ownerOf, reloadSession, session } from '../../../data/session.ts'
import { deleteRow, listRows, loadRow, saveRow } from '../../../data/storage/browser-store.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import type { RunRequest } from '../composer/task.ts'
import { saveOriginals } from '../result/original-files.ts'
import { type RunView, viewOfLoop, viewOfRun } from '../result/run-view.ts'
import { sleep } from './interruptible-sleep.ts'
import { applyFrame, INITIAL_PROGRESS, type Progress } from './progress.ts'
import { withTabLock } from './tab-lock.ts'

export type ActiveRun = {
  readonly owner: string
  readonly key: string
  readonly order: RunRequest
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
  /** It may be running: then an overload error leaves the outcome unknown. */
  readonly mayHaveBegun: boolean
  readonly failure: ApiFailure | null
  readonly view: RunView | null
}

type StoredRun = Pick<ActiveRun, 'order' | 'askedAt' | 'ceilingMinor' | 'isStopped'> & { id: string | null }
export type UndecidedRun = StoredRun & { key: string }

const KIND = 'agent-run'
/** Older runs are not sent again by themselves: the user no longer expects them to start. */
const FRESH_MS = 60 * 60_000
const RUN_MS = 11.5 * 60_000
const LOOP_BEGIN_MS = 60_000
const WAITS_MS = [1_000, 2_000, 4_000, 8_000]
/** By then the service has noticed the disconnect and answers requests for the outcome. */
const NOTICED_AFTER_MS = 500
/** With the longest wait, about as long as a loop may take. */
const TRIES_MAX = 220

const current = signal<ActiveRun | null>(null)
export const activeRun: ReadonlySignal<ActiveRun | null> = current

/** Aborts the current attempt. */
let attempt: AbortController | null = null

export const isRunning = (known: ActiveRun | null): boolean =>
  known !== null && known.state !== 'done' && known.state !== 'refused'

/** Whether this tab has an active run of another organisation. One at a time. */
export const isBusyElsewhere = (owner: string): boolean =>
  isRunning(current.value) && current.value?.owner !== owner

export async function startRun(owner: string, order: RunRequest, ceilingMinor: bigint): Promise<void> {
  if (isRunning(current.peek())) return
  const record: StoredRun = { order, ceilingMinor, askedAt: Date.now(), isStopped: false, id: null }
  const key = newKey()
  adopt(owner, key, record, 'working')
  await saveRow(owner, KIND, key, record)
  await withTabLock(key, runToEnd)
}

/** Resumes runs of an earlier visit. Returns those that are too old for it. */
export async function resumeRuns(owner: string): Promise<UndecidedRun[]> {
  const all = await listRows<StoredRun>(owner, KIND)
  const isFresh = ({ at }: { at: number }) => Date.now() - at < FRESH_MS
  const [next] = all.filter(isFresh)
  if (next && !isRunning(current.peek())) {
    adopt(owner, next.id, next.value, next.value.isStopped ? 'stopping' : 'checking')
    void withTabLock(
      next.id,
      // Another tab may have finished it meanwhile: a run that is no longer stored is not sent again.
      async () => ((await loadRow(owner, KIND, next.id)) ? runToEnd() : dropRun()),
      () => change({ state: 'elsewhere' }),
    )
  }
  return all.filter((each) => !isFresh(each)).map(({ id, value }) => ({ ...value, key: id }))
}

export const forgetRun = (owner: string, key: string): Promise<void> => deleteRow(owner, KIND, key)

/** A loop ends after its current step. A single run has one step and runs to its end. */
export function stopRun(): void {
  const known = current.peek()
  if (known?.state !== 'working' || known.order.kind === 'run') return
  change({ state: 'stopping', isStopped: true })
  void remember()
  attempt?.abort()
}

/** Closes a finished run, so that another can start. */
export function closeRun(): void {
  if (!isRunning(current.peek())) current.value = null
}

/** Requests the outcome again after giving up. */
export async function requestOutcome(): Promise<void> {
  const known = current.peek()
  if (known?.state !== 'refused') return
  change({ state: 'checking', failure: null, mayHaveBegun: true })
  await withTabLock(known.key, runToEnd)
}

function adopt(owner: string, key: string, { id, ...record }: StoredRun, state: ActiveRun['state']): void {
  const progress = { ...INITIAL_PROGRESS, id }
  const mayHaveBegun = state !== 'working'
  current.value = { ...record, owner, key, state, mayHaveBegun, progress, failure: null, view: null }
}

/** Repeats until the outcome is known. */
async function runToEnd(): Promise<void> {
  for (let tries = 0; ; tries++) {
    const known = current.peek()
    // For another user the same key would be another intent.
    if (!known || ownerOf(session.peek()) !== known.owner) return dropRun()
    attempt = new AbortController()
    try {
      return await end(known, await send(known, attempt.signal))
    } catch (error) {
      if (attempt.signal.aborted) {
        change({ mayHaveBegun: true })
        await sleep(NOTICED_AFTER_MS)
        continue
      }
      const failure = asFailure(error)
      const { mayHaveBegun } = current.peek() ?? known
      if (!isOpen(failure, mayHaveBegun) || tries >= TRIES_MAX)
        return refuse(current.peek() ?? known, failure)
      change({ mayHaveBegun: true })
      if (current.peek()?.state === 'working') change({ state: 'checking' })
      await sleep(waitAfter(failure, tries))
    } finally {
      void reloadSession()
    }
  }
}

function dropRun(): void {
  current.value = null
}

async function send({ order, key, askedAt }: ActiveRun, signal: AbortSignal): Promise<RunView> {
  const options = { idempotencyKey: key, signal, retries: 0 }
  if (order.kind === 'run') {
    const held = setTimeout(() => void reloadSession(), HELD_AFTER_MS)
    try {
      return viewOfRun(await api.agent.run(order.body, { ...options, timeoutMs: RUN_MS }), { order, askedAt })
    } finally {
      clearTimeout(held)
    }
  }
  for await (const frame of api.agent.runLoop(order.body, { ...options, timeoutMs: LOOP_BEGIN_MS })) {
    const known = current.peek()
    if (known) change({ progress: applyFrame(known.progress, frame), mayHaveBegun: true })
    if ('start' in frame) started()
    if ('step' in frame) void reloadSession()
    if ('result' in frame) return viewOfLoop(frame, { order, askedAt })
  }
  throw problem(t('The connection was lost.'), { code: 'stream_cut' })
}

/** By then the service holds the money of a single run. */
const HELD_AFTER_MS = 600

/** The service has started the run. A run that was stopped before this ends here. */
function started(): void {
  void reloadSession()
  void remember()
  if (current.peek()?.isStopped) attempt?.abort()
  else change({ state: 'working' })
}

async function remember(): Promise<void> {
  const known = current.peek()
  if (!known) return
  const { owner, key, order, askedAt, ceilingMinor, isStopped, progress } = known
  await saveRow(owner, KIND, key, {
    order,
    askedAt,
    ceilingMinor,
    isStopped,
    id: progress.id,
  } satisfies StoredRun)
}

async function end({ owner, key, order, ceilingMinor }: ActiveRun, view: RunView): Promise<void> {
  const { steps = [] } = current.peek()?.progress ?? {}
  await saveOriginals(owner, view.id, { files: order.body.context ?? [], steps, ceilingMinor })
  await deleteRow(owner, KIND, key)
  await reloadSession()
  change({ state: 'done', view })
  // No announcement after a sign-out or a switch of organisation.
  if (ownerOf(session.peek()) === owner) announce(t('The run has ended.'))
}

/** A decided run is removed; an undecided one is kept and requested again. */
async function refuse({ owner, key, mayHaveBegun }: ActiveRun, failure: ApiFailure): Promise<void> {
  if (!isUnknown(failure, mayHaveBegun)) await deleteRow(owner, KIND, key)
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

function change(by: Partial<ActiveRun>): void {
  const known = current.peek()
  if (known) current.value = { ...known, ...by }
}
