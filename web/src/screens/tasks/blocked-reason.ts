// Why no paid work can start.
import { isOnline } from '../../data/network.ts'
import type { Me } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'

/** Null if it can. */
export function blockedReason({ orgSuspended }: Me): string | null {
  if (!isOnline.value) return t('You are offline. Your text is saved.')
  return orgSuspended ? t('Your organisation is suspended. Its owner can contact us.') : null
}
