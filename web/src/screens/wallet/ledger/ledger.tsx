// The postings of the wallet, newest first, by day. Each opens its explanation.
import type { LedgerEntry } from '@cowrie/sdk'
import { type Signal, useSignal } from '@preact/signals'
import type { Pages } from '../../../data/paged-resource.ts'
import { formatDate, formatTime } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { CsvButton } from '../../../ui/files/csv-button.tsx'
import { SOURCES } from '../../../ui/money/entry-sources.ts'
import { downloadLedger } from './download-ledger.ts'
import { EntryExplanation } from './explanation.tsx'
import { type Filter, Filters } from './filter.tsx'

type Props = { pages: Pages<LedgerEntry>; currency: Currency; filter: Signal<Filter> }

export function Ledger({ pages, currency, filter }: Props) {
  const { value } = pages.current
  const entries = value.state === 'ready' ? value.value : []
  const isFiltered = Object.values(filter.value).some(Boolean)
  const opening = new Set(entries.filter((entry, at) => opensDay(entry, entries[at - 1])).map(({ id }) => id))
  return (
    <Section title={t('Transactions')}>
      <p>{t('Open a transaction to see how it was calculated.')}</p>
      {(entries.length > 0 || isFiltered) && <Filters filter={filter} />}
      <PagedList
        pages={pages}
        empty={isFiltered ? t('No matches.') : t('None yet.')}
        more={t('Older entries')}
      >
        {(entry) => (
          <>
            {opening.has(entry.id) && <h3 class="entry-day">{formatDate(entry.createdAt)}</h3>}
            <Row entry={entry} currency={currency} />
          </>
        )}
      </PagedList>
      {entries.length > 0 && (
        <CsvButton
          download={() => downloadLedger(filter.value)}
          cut={t('The file has the newest {n} lines. Use the API for older ones.', { n: '200,000' })}
        />
      )}
    </Section>
  )
}

const opensDay = (entry: LedgerEntry, before: LedgerEntry | undefined): boolean =>
  before === undefined || formatDate(entry.createdAt) !== formatDate(before.createdAt)

/** Loaded when opened. */
function Row({ entry, currency }: { entry: LedgerEntry; currency: Currency }) {
  const isOpen = useSignal(false)
  const { type, amountMinor, source, balanceAfterMinor, createdAt } = entry
  return (
    <details
      class="entry"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="entry-name">
          <span class="row-name">{t(SOURCES[source] ?? source)}</span>
          <span class="help">{formatTime(new Date(createdAt))}</span>
        </span>
        <span class="entry-amount">
          <bdi dir="ltr" class={`row-name ${type}`}>
            {type === 'credit' ? '+' : '−'}
            {formatMoney(amountMinor, currency)}
          </bdi>
          <span class="help">
            <span class="unseen">{t('Balance after')} </span>
            <Amount minor={balanceAfterMinor} currency={currency} />
          </span>
        </span>
      </summary>
      {isOpen.value && <EntryExplanation id={entry.id} currency={currency} />}
    </details>
  )
}
