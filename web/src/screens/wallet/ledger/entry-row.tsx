// One posting of the wallet in a line: purpose, time, amount, balance after it.
import type { LedgerEntry } from '@cowrie/sdk'
import { formatDateTime, formatTime } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { SOURCES } from '../../../ui/money/entry-sources.ts'

type Props = { entry: LedgerEntry; currency: Currency }

export const entryPath = (id: string): string => `/app/wallet/activity/${encodeURIComponent(id)}`

export const signedAmount = ({ type, amountMinor }: LedgerEntry, currency: Currency): string =>
  (type === 'credit' ? '+' : '−') + formatMoney(amountMinor, currency)

/** Below the heading of its day, so that the time is enough. */
export function EntryLine({ entry, currency, withDay = false }: Props & { withDay?: boolean }) {
  const { type, source, balanceAfterMinor, createdAt } = entry
  return (
    <>
      <span class="entry-name">
        <span class="row-name">{t(SOURCES[source] ?? source)}</span>
        <span class="help">{withDay ? formatDateTime(createdAt) : formatTime(new Date(createdAt))}</span>
      </span>
      <span class="entry-amount">
        <bdi dir="ltr" class={`row-name ${type}`}>
          {signedAmount(entry, currency)}
        </bdi>
        <span class="help">
          <span class="unseen">{t('Balance after')} </span>
          <Amount minor={balanceAfterMinor} currency={currency} />
        </span>
      </span>
    </>
  )
}

export const EntryLink = ({ entry, currency }: Props) => (
  <a class="entry-link" href={entryPath(entry.id)}>
    <EntryLine entry={entry} currency={currency} withDay />
  </a>
)
