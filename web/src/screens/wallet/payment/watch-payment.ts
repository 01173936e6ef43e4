// Polls one payment until it is decided.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { ApiFailure, asFailure } from '../../../data/failure.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import type { ResourceState } from '../../../data/resource.ts'
import { type Action, useAction } from '../../../data/use-action.ts'
import type { PaymentStatus, Topup } from '../top-up/top-up-types.ts'
import { pollIntervalMs } from './poll-interval.ts'

export type PaymentWatch = {
  readonly payment: ReadonlySignal<ResourceState<PaymentStatus>>
  /** Checks at once, after the payer has paid. */
  readonly check: Action<[]>
  /** Whether this page has stopped polling. */
  readonly gaveUp: ReadonlySignal<boolean>
  retry(): Promise<void>
}

/** A status, and whether the provider was asked, so that other parts of the page may be outdated. */
export type PollResult = { found: PaymentStatus; isNews: boolean }
export type Poll = (reference: string) => Promise<PollResult>

/** Calls back when the status has changed. */
export function usePaymentWatch(
  reference: string,
  look: Poll,
  onNews: (payment: PaymentStatus) => void,
): PaymentWatch {
  const payment = useSignal<ResourceState<PaymentStatus>>({ state: 'loading' })
  const asks = useSignal(0)
  const gaveUp = useSignal(false)

  function learn({ found, isNews }: PollResult): void {
    const before = payment.peek()
    // An older response may arrive last.
    if (before.state === 'ready' && before.value.status === 'settled') return
    const isChange = before.state === 'ready' && before.value.status !== found.status
    payment.value = { state: 'ready', value: found }
    if (found.status !== 'pending' && (isNews || isChange)) onNews(found)
  }

  async function retry(): Promise<void> {
    try {
      learn(await look(reference))
    } catch (error) {
      payment.value = { state: 'failed', failure: asFailure(error) }
    }
  }

  const check = useAction(async () => {
    learn(await checkWithProvider(reference))
    // The user is present: poll again.
    asks.value = 0
    gaveUp.value = false
  })

  useEffect(() => void retry(), [reference])

  const current = payment.value
  const isPending = current.state === 'ready' && current.value.status === 'pending'
  const asked = asks.value
  useEffect(() => {
    if (!isPending) return
    const pauseMs = pollIntervalMs(asked, isSaving.peek())
    gaveUp.value = pauseMs === null
    if (pauseMs === null) return
    return whenVisible(pauseMs, async () => {
      await look(reference).then(learn, ignoreFailure)
      asks.value = asked + 1
    })
  }, [isPending, asked, reference])

  return { payment, check, gaveUp, retry }
}

/**
 * A top-up. Asks the provider only for live payments: for a pending test payment the same request would approve it,
 * which is the decision of the payer.
 */
export async function pollTopup(reference: string): Promise<PollResult> {
  const listed = (await findListed(reference, 5)) ?? (await findListed(reference, 50))
  if (listed && (listed.mode === 'mock' || listed.status === 'settled'))
    return { found: listed, isNews: false }
  const { found, isNews } = await checkWithProvider(reference)
  return { found: { ...listed, ...found }, isNews }
}

/** Most waiting payments are new, so the newest few are enough. */
async function findListed(reference: string, limit: number): Promise<Topup | undefined> {
  const { topups } = await api.wallet.topups({ limit })
  return topups.find((topup) => topup.reference === reference)
}

/** Asks the provider. */
export const checkWithProvider = async (reference: string): Promise<PollResult> => ({
  found: await api.wallet.verify({ reference }),
  isNews: true,
})

/** A failed poll is repeated at its next turn. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof ApiFailure)) throw error
}

/** Polls only while the page is visible. Returning to the page or to a network polls at once. */
function whenVisible(pauseMs: number, act: () => Promise<void>): () => void {
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
