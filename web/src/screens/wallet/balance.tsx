// The exact balance.
import type { Wallet } from '@cowrie/sdk'
import type { Resource } from '../../data/resource.ts'
import { formatTime } from '../../i18n/format.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'

export function Balance({ from, currency }: { from: Resource<Wallet>; currency: Currency }) {
  const current = from.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={from.load} />
  const known = current.state === 'ready' ? current.value : null
  const amount = (minor: bigint | undefined) => minor !== undefined && formatMoney(minor, currency)
  return (
    <section class="balance" aria-label={t('Balance')} aria-busy={known === null}>
      <p class="small-title">
        {t('Available')}
        {current.state === 'ready' &&
          current.asOf &&
          ` · ${t('as of {time}', { time: formatTime(current.asOf) })}`}
      </p>
      <p>
        <bdi dir="ltr" class={known ? 'amount' : 'blank amount'} data-testid="balance">
          {amount(known?.availableMinor)}
        </bdi>
      </p>
      <Facts
        lines={[
          [t('Balance'), known && amount(known.balanceMinor)],
          [t('Held for work in progress'), known && amount(known.heldMinor)],
          ...(known && known.includedRemainingMinor > 0n
            ? [[t('Left in your plan (used first)'), amount(known.includedRemainingMinor)] as const]
            : []),
        ]}
      />
    </section>
  )
}
