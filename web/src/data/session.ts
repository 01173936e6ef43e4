// The session of this browser.

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
  /** `asOf`: the time of a stored session, used while offline. */
  | { state: 'in'; me: Me; asOf?: Date }
  | { state: 'failed'; failure: ApiFailure }

/** Owner of stored data that is read before the user is known. */
const NOBODY = ''

const current = signal<Session>({ state: 'out' })
export const session: ReadonlySignal<Session> = current

/** Tabs tell each other which user and organisation the session has: `user org`, or nothing when signed out. */
const tabs = new BroadcastChannel('cowrie.session')

/** The same in storage, for tabs that were suspended when the message was sent. */
const HERE = 'cowrie.here'

/** Identifies the user and the organisation. */
export const nameOf = (known: Session): string =>
  known.state === 'in' ? `${known.me.userId} ${known.me.orgId}` : ''

/** Resumes the session of an earlier visit, or one that a link or an identity provider has just opened. */
export async function resume(): Promise<void> {
  if (!isMarked()) return
  current.value = { state: 'asking' }
  await ask()
}

/** Reloads the session after a sign-in or a change. The screen stays until the response arrives. */
export const recheck = (): Promise<void> => (isMarked() ? askAnew() : Promise.resolve(end()))

/** Reloads after a switch of organisation: known data and pending responses belong to the previous one. */
export function moved(): Promise<void> {
  hasMoved = true
  return recheck()
}

/** A session that had already ended counts as signed out. */
export async function signOut(): Promise<void> {
  await api.auth.logout().catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
  })
  leave()
}

/** One browser has one session: changes in a tab reach the others. */
export function followOtherTabs(): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === '') end()
    else if (data !== nameOf(current.value)) void moved()
  })
  // Where messages between tabs are lost, the cookie still tells when the user comes back to this tab.
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

/** Whether another tab has reported another user or organisation. */
function isElsewhere(): boolean {
  const here = recall(HERE)
  return current.peek().state === 'in' && here !== null && here !== nameOf(current.peek())
}

let asking: Promise<void> | null = null
let askingNext: Promise<void> | null = null
/** True until the new organisation is known: earlier data must not stand in for the response. */
let hasMoved = false

/** Concurrent callers share one request. */
function ask(): Promise<void> {
  asking ??= askOnce().finally(() => {
    asking = null
  })
  return asking
}

/** A pending request may answer with the state before the change, so wait for the one after it. */
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
  // The user signed out meanwhile.
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
 * Offline, the last user may read the data that this browser has stored for them. An overloaded service has said nothing about
 * the session, so the screen stays.
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
