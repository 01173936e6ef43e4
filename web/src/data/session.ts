// The session of this browser.

import { type Me, outcomeOf } from '@cowrie/sdk'
import { type ReadonlySignal, signal } from '@preact/signals'
import { api, checkBeforeWrites, onSessionRejected } from './api.ts'
import { ApiFailure, asFailure } from './failure.ts'
import { clearStore, loadRow, saveRow, setStoreUser } from './storage/browser-store.ts'
import { readLocal, removeLocal, writeLocal } from './storage/local-storage.ts'
import { clearSignInCookie, hasSignInCookie } from './storage/sign-in-cookie.ts'

export type { Me }

export type Session =
  | { state: 'out' }
  | { state: 'asking' }
  /** `asOf`: the time of a stored session, used while offline. */
  | { state: 'in'; me: Me; asOf?: Date }
  | { state: 'failed'; failure: ApiFailure }

/** Owner of stored data that is read before the user is known. */
const UNKNOWN_OWNER = ''

const current = signal<Session>({ state: 'out' })
export const session: ReadonlySignal<Session> = current

/** Tabs tell each other which user and organisation the session has: `user org`, or nothing when signed out. */
const tabs = new BroadcastChannel('cowrie.session')

/** The same in storage, for tabs that were suspended when the message was sent. */
const CURRENT_KEY = 'cowrie.here'

/** Identifies the user and the organisation. */
export const ownerOf = (known: Session): string =>
  known.state === 'in' ? `${known.me.userId} ${known.me.orgId}` : ''

/** Resumes the session of an earlier visit, or one that a link or an identity provider has just opened. */
export async function resumeSession(): Promise<void> {
  if (!hasSignInCookie()) return
  current.value = { state: 'asking' }
  await requestSession()
}

/** Reloads the session after a sign-in or a change. The screen stays until the response arrives. */
export const reloadSession = (): Promise<void> =>
  hasSignInCookie() ? requestFreshSession() : Promise.resolve(clearSession())

/** Reloads after a switch of organisation: known data and pending responses belong to the previous one. */
export function reloadAfterSwitch(): Promise<void> {
  hasSwitched = true
  return reloadSession()
}

/** A session that had already ended counts as signed out. */
export async function signOut(): Promise<void> {
  await api.auth.logout().catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
  })
  endSession()
}

/** One browser has one session: changes in a tab reach the others. */
export function followOtherTabs(): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === '') clearSession()
    else if (data !== ownerOf(current.value)) void reloadAfterSwitch()
  })
  // Where messages between tabs are lost, the cookie still tells when the user comes back to this tab.
  document.addEventListener('visibilitychange', syncWithTabs)
  addEventListener('pageshow', syncWithTabs)
  addEventListener('online', () => {
    if (current.value.state === 'in') void reloadSession()
  })
  checkBeforeWrites(() => {
    const isStale = isOutdated()
    if (isStale) void reloadAfterSwitch()
    return isStale
  })
  onSessionRejected(() => {
    if (current.value.state === 'in') endSession()
  })
}

function syncWithTabs(): void {
  const { state } = current.value
  if (document.hidden) return
  if (hasSignInCookie() !== (state !== 'out') || isStored(current.value)) void reloadSession()
  else if (isOutdated()) void reloadAfterSwitch()
}

/** Whether another tab has reported another user or organisation. */
function isOutdated(): boolean {
  const here = readLocal(CURRENT_KEY)
  return current.peek().state === 'in' && here !== null && here !== ownerOf(current.peek())
}

let pending: Promise<void> | null = null
let pendingNext: Promise<void> | null = null
/** True until the new organisation is known: earlier data must not stand in for the response. */
let hasSwitched = false

/** Concurrent callers share one request. */
function requestSession(): Promise<void> {
  pending ??= fetchSession().finally(() => {
    pending = null
  })
  return pending
}

/** A pending request may answer with the state before the change, so wait for the one after it. */
function requestFreshSession(): Promise<void> {
  if (pending === null) return requestSession()
  pendingNext ??= pending.then(() => {
    pendingNext = null
    return requestSession()
  })
  return pendingNext
}

async function fetchSession(): Promise<void> {
  const answer = await api.me.get().then(
    (me): Session => ({ state: 'in', me }),
    (error: unknown) => fallbackFor(asFailure(error)),
  )
  // The user signed out meanwhile.
  if (!hasSignInCookie()) return clearSession()
  if (answer.state === 'failed' && answer.failure.status === 401) return endSession()
  const isNews = ownerOf(answer) !== ownerOf(current.value)
  if (answer.state === 'in') {
    setStoreUser(answer.me.userId)
    if (answer !== current.peek() && !answer.asOf) {
      hasSwitched = false
      writeLocal(CURRENT_KEY, ownerOf(answer))
      void saveRow(UNKNOWN_OWNER, 'me', 'last', answer.me)
    }
  }
  current.value = answer
  retryWhileStored(answer)
  if (isNews && answer.state === 'in') tabs.postMessage(ownerOf(answer))
}

const RETRY_FIRST_MS = 2_000
const RETRY_MAX_MS = 60_000
let retryMs = RETRY_FIRST_MS
let retry: number | undefined

/** A browser does not always notice that it is offline, or online again, so a stored session asks again after a while. */
function retryWhileStored(answer: Session): void {
  clearTimeout(retry)
  if (isStored(answer)) retry = setTimeout(() => !document.hidden && void reloadSession(), retryMs)
  retryMs = isStored(answer) ? Math.min(retryMs * 2, RETRY_MAX_MS) : RETRY_FIRST_MS
}

const isStored = (known: Session): boolean => known.state === 'in' && known.asOf !== undefined

/**
 * Offline, the last user may read the data that this browser has stored for them. An error of an overloaded service tells nothing about
 * the session, so the screen stays.
 */
async function fallbackFor(failure: ApiFailure): Promise<Session> {
  const { status } = failure
  const before = current.peek()
  if (hasSwitched || outcomeOf(failure) === 'decided') return { state: 'failed', failure }
  if (before.state === 'in') return status === 0 ? { ...before, asOf: before.asOf ?? new Date() } : before
  if (status !== 0) return { state: 'failed', failure }
  const last = await loadRow<Me>(UNKNOWN_OWNER, 'me', 'last')
  return last ? { state: 'in', me: last.value, asOf: new Date(last.at) } : { state: 'failed', failure }
}

function endSession(): void {
  clearSignInCookie()
  removeLocal(CURRENT_KEY)
  void clearStore()
  clearSession()
  tabs.postMessage('')
}

function clearSession(): void {
  hasSwitched = false
  setStoreUser(null)
  current.value = { state: 'out' }
}
