// Polls one payment until it is decided.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { ApiFailure, asFailure } from '../../../data/failure.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import type { Loaded } from '../../../data/resource.ts'
import { type Action, useAction } from '../../../data/use-action.ts'
import type { Standing, Topup } from '../top-up/top-up-types.ts'
import { pauseAfter } from './poll-interval.ts'

export type Watched = {
  readonly standing: ReadonlySignal<Loaded<Standing>>
  /** Checks at once, after the payer has paid. */
  readonly check: Action<[]>
  /** Whether this page has stopped polling. */
  readonly gaveUp: ReadonlySignal<boolean>
  retry(): Promise<void>
}

/** A status, and whether the provider was asked, so that other parts of the page may be outdated. */
export type Look = { found: Standing; isNews: boolean }
export type LookAt = (reference: string) => Promise<Look>

/** Calls back when the status has changed. */
export function useWatch(reference: string, look: LookAt, onNews: (standing: Standing) => void): Watched {
  const standing = useSignal<Loaded<Standing>>({ state: 'loading' })
  const asks = useSignal(0)
  const gaveUp = useSignal(false)

  function learn({ found, isNews }: Look): void {
    const before = standing.peek()
    // An older response may arrive last.
    if (before.state === 'ready' && before.value.status === 'settled') return
    const isChange = before.state === 'ready' && before.value.status !== found.status
    standing.value = { state: 'ready', value: found }
    if (found.status !== 'pending' && (isNews || isChange)) onNews(found)
  }

  async function retry(): Promise<void> {
    try {
      learn(await look(reference))
    } catch (error) {
      standing.value = { state: 'failed', failure: asFailure(error) }
    }
  }

  const check = useAction(async () => {
    learn(await verify(reference))
    // The user is present: poll again.
    asks.value = 0
    gaveUp.value = false
  })

  useEffect(() => void retry(), [reference])

  const current = standing.value
  const isPending = current.state === 'ready' && current.value.status === 'pending'
  const asked = asks.value
  useEffect(() => {
    if (!isPending) return
    const pauseMs = pauseAfter(asked, isSaving.peek())
    gaveUp.value = pauseMs === null
    if (pauseMs === null) return
    return whenSeen(pauseMs, async () => {
      await look(reference).then(learn, passing)
      asks.value = asked + 1
    })
  }, [isPending, asked, reference])

  return { standing, check, gaveUp, retry }
}

/**
 * A top-up. Asks the provider only for live payments: for a pending test payment the same request would approve it,
 * which is the decision of the payer.
 */
export async function lookAtTopup(reference: string): Promise<Look> {
  const listed = (await listedAmong(reference, 5)) ?? (await listedAmong(reference, 50))
  if (listed && (listed.mode === 'mock' || listed.status === 'settled'))
    return { found: listed, isNews: false }
  const { found, isNews } = await verify(reference)
  return { found: { ...listed, ...found }, isNews }
}

/** Most waiting payments are new, so the newest few are enough. */
async function listedAmong(reference: string, limit: number): Promise<Topup | undefined> {
  const { topups } = await api.wallet.topups({ limit })
  return topups.find((topup) => topup.reference === reference)
}

/** Asks the provider. */
export const verify = async (reference: string): Promise<Look> => ({
  found: await api.wallet.verify({ reference }),
  isNews: true,
})

/** A failed poll is repeated at its next turn. */
function passing(error: unknown): void {
  if (!(error instanceof ApiFailure)) throw error
}

/** Polls only while the page is visible. Returning to the page or to a network polls at once. */
function whenSeen(pauseMs: number, act: () => Promise<void>): () => void {
  let isDue = false
  let isDone = false
  const tryNow = () => {
    if (isDone || document.hidden || !navigator.onLine) return
    isDone = true
    void act()
  }
  const due = () => {
    isDue = true
    tryNow()
  }
  const seen = () => {
    if (isDue) tryNow()
  }
  const timer = setTimeout(due, pauseMs)
  document.addEventListener('visibilitychange', seen)
  addEventListener('online', tryNow)
  return () => {
    isDone = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
    removeEventListener('online', tryNow)
  }
}
