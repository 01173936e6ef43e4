// Top-ups that need the user: one that was started here and not finished, the newest one if it failed, and paused automatic ones.
import type { Topup } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { ApiFailure } from '../../data/failure.ts'
import { type Me, ownerOf } from '../../data/session.ts'
import { listRows } from '../../data/storage/browser-store.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import type { Need } from './needs-you.tsx'

/** Older failures are no longer of interest. */
const FAILED_FOR_MS = 3 * 86_400_000

/** Null while loading. Failed requests are repeated at the next visit. */
export function useTopupNeeds(me: Me): readonly Need[] | null {
  const found = useSignal<readonly Need[] | null>(null)
  useEffect(() => {
    void needsOf(me).then(
      (all) => {
        found.value = all
      },
      (error: unknown) => {
        found.value = []
        if (!(error instanceof ApiFailure)) throw error
      },
    )
  }, [])
  return found.value
}

async function needsOf(me: Me): Promise<Need[]> {
  const [{ topups }, started] = await Promise.all([
    api.wallet.topups({ limit: 10 }),
    listRows(ownerOf({ state: 'in', me }), 'topup'),
  ])
  const own = topups.filter(({ automatic }) => !automatic)
  const isPaused = own.length < topups.length && me.role !== 'member' && (await isAutomaticPaused())
  return [
    ...topupNeeds(own, new Set(started.map(({ id }) => id)), me.currency, Date.now()),
    ...(isPaused ? [pausedNeed()] : []),
  ]
}

async function isAutomaticPaused(): Promise<boolean> {
  const { automaticTopup } = await api.wallet.automaticTopup.get()
  return automaticTopup?.status === 'paused'
}

const pausedNeed = (): Need => ({
  id: 'automatic',
  title: t('Automatic top-up is paused'),
  note: t('The last charge of your card did not work.'),
  href: '/app/wallet/alerts',
  action: t('See why'),
})

/** A pending top-up of another browser has no instructions here. A later top-up replaces a failed one. */
export function topupNeeds(
  topups: readonly Topup[],
  startedHere: ReadonlySet<string>,
  currency: Currency,
  nowMs: number,
): Need[] {
  const [newest] = topups
  const pending = topups.find(({ status, reference }) => status === 'pending' && startedHere.has(reference))
  if (pending)
    return [
      needOf(pending, t('Your top-up of {amount} is not finished', money(pending, currency)), t('Finish')),
    ]
  if (!newest || nowMs - Date.parse(newest.createdAt) > FAILED_FOR_MS) return []
  if (newest.status === 'failed' || newest.status === 'expired')
    return [needOf(newest, t('Your top-up of {amount} failed', money(newest, currency)), t('Try again'))]
  return []
}

const money = ({ amountMinor }: Topup, currency: Currency) => ({ amount: formatMoney(amountMinor, currency) })

const needOf = ({ reference, createdAt }: Topup, title: string, action: string): Need => ({
  id: reference,
  title,
  note: formatDateTime(createdAt),
  href: `/app/wallet/top-up?reference=${encodeURIComponent(reference)}`,
  action,
})
