// One entry of the wallet in a line: purpose, time, amount, balance after it. In columns where there is room.
import type { LedgerEntry } from '@cowrie/sdk'
import { formatTime } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { SOURCES } from '../../../ui/money/entry-sources.ts'

type Props = { entry: LedgerEntry; currency: Currency }

export const entryPath = (id: string): string => `/app/wallet/activity/${encodeURIComponent(id)}`

export const signedAmount = ({ type, amountMinor }: LedgerEntry, currency: Currency): string =>
  (amountMinor === 0n ? '' : type === 'credit' ? '+' : '−') + formatMoney(amountMinor, currency)

/** Each line says these words itself to screen readers. */
export const EntryHeads = () => (
  <div class="entry-heads" aria-hidden="true">
    <span>{t('Type')}</span>
    <span>{t('Time')}</span>
    <span>{t('Amount')}</span>
    <span>{t('Balance after')}</span>
  </div>
)

/** Below the heading of its day, so that the time is enough. */
export function EntryLine({ entry, currency, note }: Props & { note?: string }) {
  const { type, source, balanceAfterMinor, createdAt } = entry
  return (
    <span class="entry-line">
      <span class="row-name">
        {t(SOURCES[source] ?? source)} {note && <span class="help">{note}</span>}
      </span>
      <span class="entry-time">{formatTime(new Date(createdAt))}</span>
      <bdi dir="ltr" class={`entry-amount ${type}`}>
        {signedAmount(entry, currency)}
      </bdi>
      <span class="entry-after">
        <span class="unseen">{t('Balance after')} </span>
        <Amount minor={balanceAfterMinor} currency={currency} />
      </span>
    </span>
  )
}
