// Who is signed in here, as far as this browser knows.

import type { Me } from '@cowrie/sdk'
import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiFailure, api, asFailure, onStranger } from '../api.ts'
import { isMarked, unmark } from '../app/mark.ts'
import { keep, kept, wipe } from '../app/store.ts'

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
export const recheck = (): Promise<void> => (isMarked() ? ask() : Promise.resolve(end()))

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
    else if (data !== nameOf(current.value)) void recheck()
  })
  // Where messages between tabs are lost, the mark still tells when somebody comes back to this one.
  document.addEventListener('visibilitychange', catchUp)
  addEventListener('pageshow', catchUp)
  addEventListener('online', () => {
    if (current.value.state === 'in') void recheck()
  })
  onStranger(() => {
    if (current.value.state === 'in') leave()
  })
}

function catchUp(): void {
  const { state } = current.value
  if (!document.hidden && isMarked() !== (state !== 'out')) void recheck()
}

let asking: Promise<void> | null = null

/** Two who ask at the same time get one answer. */
function ask(): Promise<void> {
  asking ??= askOnce().finally(() => {
    asking = null
  })
  return asking
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
  current.value = answer
  if (answer.state === 'in' && !answer.asOf) void keep(NOBODY, 'me', 'last', answer.me)
  if (isNews && answer.state === 'in') tabs.postMessage(nameOf(answer))
}

/** Without a network who was here last may read on: what this browser kept is theirs. */
async function insteadOf(failure: ApiFailure): Promise<Session> {
  if (failure.status !== 0) return { state: 'failed', failure }
  const before = current.peek()
  if (before.state === 'in') return { ...before, asOf: before.asOf ?? new Date() }
  const last = await kept<Me>(NOBODY, 'me', 'last')
  return last ? { state: 'in', me: last.value, asOf: new Date(last.at) } : { state: 'failed', failure }
}

function leave(): void {
  unmark()
  void wipe()
  end()
  tabs.postMessage('')
}

function end(): void {
  current.value = { state: 'out' }
}
