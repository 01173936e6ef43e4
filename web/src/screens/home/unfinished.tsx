// Unfinished work: a top-up that was started here.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { ApiFailure } from '../../data/failure.ts'
import { type Me, ownerOf } from '../../data/session.ts'
import { listRows } from '../../data/storage/browser-store.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'

export type UnfinishedItem = { id: string; href: string; title: string; since: number; action: string }

/** Checks this browser first, so that users without unfinished work cause no request. Null while checking. */
export function useUnfinished(me: Me): readonly UnfinishedItem[] | null {
  const found = useSignal<readonly UnfinishedItem[] | null>(null)
  useEffect(() => {
    void topupsOf(me, ownerOf({ state: 'in', me })).then((all) => {
      found.value = all
    })
  }, [])
  return found.value
}

async function topupsOf({ currency }: Me, owner: string): Promise<UnfinishedItem[]> {
  const started = await listRows(owner, 'topup')
  if (started.length === 0) return []
  const { topups } = await api.wallet.topups({ status: 'pending', limit: 10 }).catch(noneOf)
  return topups
    .filter(({ reference }) => started.some(({ id }) => id === reference))
    .slice(0, 1)
    .map(({ reference, amountMinor, createdAt }) => ({
      id: reference,
      href: `/app/wallet?reference=${encodeURIComponent(reference)}`,
      title: t('Your top-up of {amount} is not finished', { amount: formatMoney(amountMinor, currency) }),
      since: Date.parse(createdAt),
      action: t('Continue'),
    }))
}

/** Failed requests are repeated at the next visit. */
function noneOf(error: unknown): { topups: never[] } {
  if (error instanceof ApiFailure) return { topups: [] }
  throw error
}
