// Who is signed in here, as far as this browser knows.

import { type Me, outcomeOf } from '@cowrie/sdk'
import { type ReadonlySignal, signal } from '@preact/signals'
import { api, onStranger, watchWrites } from './api.ts'
import { ApiFailure, asFailure } from './failure.ts'
import { keep, keepOnlyFor, kept, wipe } from './storage/browser-store.ts'
import { forget, recall, remember } from './storage/local-storage.ts'
import { isMarked, unmark } from './storage/sign-in-cookie.ts'

export type { Me }

export type Session =
  | { state: 'out' }
  | { state: 'asking' }
  /** `asOf`: as it was then, because now there is no network. */
  | { state: 'in'; me: Me; asOf?: Date }
  | { state: 'failed'; failure: ApiFailure }

/** Whose it is stands in what is kept: before we have asked, that is all we know. */
const NOBODY = ''

const current = signal<Session>({ state: 'out' })
export const session: ReadonlySignal<Session> = current

/** The tabs of this browser tell each other who is signed in: `user org`, or nothing for nobody. */
const tabs = new BroadcastChannel('cowrie.session')

/** The same for tabs that slept when it was told. */
const HERE = 'cowrie.here'

/** Who is signed in, and where. */
export const nameOf = (known: Session): string =>
  known.state === 'in' ? `${known.me.userId} ${known.me.orgId}` : ''

/** Picks up the session of an earlier visit, or one that a link or an identity provider has just opened. */
export async function resume(): Promise<void> {
  if (!isMarked()) return
  current.value = { state: 'asking' }
  await ask()
}

/** After a sign-in or a change of what the session is about: the screen stays until the answer is there. */
export const recheck = (): Promise<void> => (isMarked() ? askAnew() : Promise.resolve(end()))

/** After a change of the organisation: what was known until now, or is just being asked, is of the other one. */
export function moved(): Promise<void> {
  hasMoved = true
  return recheck()
}

/** Signed out is signed out: a session that had already ended counts as well. */
export async function signOut(): Promise<void> {
  await api.auth.logout().catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
  })
  leave()
}

/** One browser, one session: what a tab does about it the others follow. */
export function followOtherTabs(): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === '') end()
    else if (data !== nameOf(current.value)) void moved()
  })
  // Where messages between tabs are lost, the mark still tells when somebody comes back to this one.
  document.addEventListener('visibilitychange', catchUp)
  addEventListener('pageshow', catchUp)
  addEventListener('online', () => {
    if (current.value.state === 'in') void recheck()
  })
  watchWrites(() => {
    const isStale = isElsewhere()
    if (isStale) void moved()
    return isStale
  })
  onStranger(() => {
    if (current.value.state === 'in') leave()
  })
}

function catchUp(): void {
  const { state } = current.value
  if (document.hidden) return
  if (isMarked() !== (state !== 'out')) void recheck()
  else if (isElsewhere()) void moved()
}

/** Whether another tab has said that the session is somebody else's, or about another organisation. */
function isElsewhere(): boolean {
  const here = recall(HERE)
  return current.peek().state === 'in' && here !== null && here !== nameOf(current.peek())
}

let asking: Promise<void> | null = null
let askingNext: Promise<void> | null = null
/** Until it is known where: nothing of before stands in for an answer. */
let hasMoved = false

/** Two who ask at the same time get one answer. */
function ask(): Promise<void> {
  asking ??= askOnce().finally(() => {
    asking = null
  })
  return asking
}

/** What is just being asked may be answered as it was before the change: the answer to wait for is the one after it. */
function askAnew(): Promise<void> {
  if (asking === null) return ask()
  askingNext ??= asking.then(() => {
    askingNext = null
    return ask()
  })
  return askingNext
}

async function askOnce(): Promise<void> {
  const answer = await api.me.get().then(
    (me): Session => ({ state: 'in', me }),
    (error: unknown) => insteadOf(asFailure(error)),
  )
  // Whoever signed out meanwhile stays out.
  if (!isMarked()) return end()
  if (answer.state === 'failed' && answer.failure.status === 401) return leave()
  const isNews = nameOf(answer) !== nameOf(current.value)
  if (answer.state === 'in') {
    keepOnlyFor(answer.me.userId)
    if (answer !== current.peek() && !answer.asOf) {
      hasMoved = false
      remember(HERE, nameOf(answer))
      void keep(NOBODY, 'me', 'last', answer.me)
    }
  }
  current.value = answer
  if (isNews && answer.state === 'in') tabs.postMessage(nameOf(answer))
}

/**
 * Without a network who was here last may read on: what this browser kept is theirs. A service that is busy has said nothing
 * about who is here, and takes no screen away from anybody.
 */
async function insteadOf(failure: ApiFailure): Promise<Session> {
  const { status } = failure
  const before = current.peek()
  if (hasMoved || outcomeOf(failure) === 'decided') return { state: 'failed', failure }
  if (before.state === 'in') return status === 0 ? { ...before, asOf: before.asOf ?? new Date() } : before
  if (status !== 0) return { state: 'failed', failure }
  const last = await kept<Me>(NOBODY, 'me', 'last')
  return last ? { state: 'in', me: last.value, asOf: new Date(last.at) } : { state: 'failed', failure }
}

function leave(): void {
  unmark()
  forget(HERE)
  void wipe()
  end()
  tabs.postMessage('')
}

function end(): void {
  hasMoved = false
  keepOnlyFor(null)
  current.value = { state: 'out' }
}
