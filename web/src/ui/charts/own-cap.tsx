// The remaining monthly cap of a member, as a bar and as text.

import type { Me } from '@cowrie/sdk'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../base/amount.tsx'
import { CapBar } from './cap-bar.tsx'

/** Empty for members without a cap. */
export function OwnCap({ me: { cap, currency } }: { me: Me }) {
  if (!cap) return null
  return (
    <section class="own-cap" aria-label={t('Your monthly cap')}>
      <p class="small-title">{t('Your monthly cap')}</p>
      <p class="own-left">
        <Trans
          text="{amount} left this month"
          amount={<Amount minor={cap.leftMinor} currency={currency} testId="cap-left" />}
        />
      </p>
      <CapBar spentMinor={cap.capMinor - cap.leftMinor} capMinor={cap.capMinor} />
      <p class="help">
        <Trans
          text="Of {amount}. Resets every month."
          amount={<Amount minor={cap.capMinor} currency={currency} />}
        />
      </p>
    </section>
  )
}
