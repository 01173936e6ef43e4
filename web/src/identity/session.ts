// Who is signed in here, as far as this browser knows.
import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiFailure, get, post } from '../api.ts'
import { forget, recall, remember } from '../app/memory.ts'
import { asFailure } from '../app/resource.ts'
import type { Currency } from '../money.ts'

export type Me = {
  userId: string
  orgId: string
  orgName: string
  orgType: string
  email: string
  role: string
  plan: string | null
  currency: Currency
  availableMinor: bigint
  heldMinor: bigint
}

export type Session =
  | { state: 'out' }
  | { state: 'asking' }
  | { state: 'in'; me: Me }
  | { state: 'failed'; failure: ApiFailure }

const current = signal<Session>({ state: 'out' })
export const session: ReadonlySignal<Session> = current

// The cookie itself cannot be read by scripts. This mark only says that asking is worth it, so that
// a stranger's first visit costs no refused request.
const MARK = 'cowrie.signed-in'

/** Picks up the session of an earlier visit. */
export async function resume(): Promise<void> {
  if (recall(MARK) === null) return
  const asking: Session = { state: 'asking' }
  current.value = asking
  const answer = await get<Me>('/me').then(
    (me): Session => ({ state: 'in', me }),
    (error: unknown): Session => ({ state: 'failed', failure: asFailure(error) }),
  )
  // Whoever signed out meanwhile stays out.
  if (current.value !== asking) return
  if (answer.state === 'failed' && answer.failure.status === 401) end()
  else current.value = answer
}

export async function signInForDevelopment(email: string): Promise<void> {
  await post('/auth/dev-login', { email })
  current.value = { state: 'in', me: await get<Me>('/me') }
  remember(MARK, 'yes')
}

/** Signed out is signed out: a session that had already ended counts as well. */
export async function signOut(): Promise<void> {
  await post('/auth/logout').catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
  })
  end()
}

/** A tab that signs out takes the others along. A key of null says that all storage was cleared, as the service asks when signing out. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === null || (key === MARK && newValue === null)) end()
    else if (key === MARK) void resume()
  })
}

function end(): void {
  forget(MARK)
  current.value = { state: 'out' }
}
