// The entries of the wallet, newest first, by day. Each opens as a receipt.
import type { LedgerEntry } from '@cowrie/sdk'
import { type Signal, useSignal } from '@preact/signals'
import type { Pages } from '../../../data/paged-resource.ts'
import { formatDate } from '../../../i18n/format.ts'
import type { Currency } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { CsvButton } from '../../../ui/files/csv-button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { downloadLedger } from './download-ledger.ts'
import { EntryHeads, EntryLine, entryPath } from './entry-row.tsx'
import { EntryExplanation } from './explanation.tsx'
import { type Filter, Filters } from './filter.tsx'

type Props = { pages: Pages<LedgerEntry>; currency: Currency; filter: Signal<Filter> }

export function Ledger({ pages, currency, filter }: Props) {
  const { value } = pages.current
  const entries = value.state === 'ready' ? value.value : []
  const isFiltered = Object.values(filter.value).some(Boolean)
  const opening = new Set(entries.filter((entry, at) => opensDay(entry, entries[at - 1])).map(({ id }) => id))
  return (
    <Section title={t('Activity')}>
      {value.state === 'ready' && entries.length === 0 && !isFiltered ? (
        <EmptyState
          picture="money"
          title={t('No activity yet')}
          text={t('Every top-up and charge appears here with its calculation.')}
        />
      ) : (
        <>
          <Filters filter={filter} />
          {entries.length > 0 && <EntryHeads />}
          <PagedList pages={pages} empty={t('No matches.')} more={t('Older entries')}>
            {(entry) => (
              <>
                {opening.has(entry.id) && <h3 class="entry-day">{formatDate(entry.createdAt)}</h3>}
                <Row entry={entry} currency={currency} />
              </>
            )}
          </PagedList>
        </>
      )}
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
  return (
    <details
      class="entry"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <EntryLine entry={entry} currency={currency} />
      </summary>
      {isOpen.value && (
        <EntryExplanation id={entry.id} currency={currency}>
          <p>
            <a href={entryPath(entry.id)}>{t('Open as a page')}</a>
          </p>
        </EntryExplanation>
      )}
    </details>
  )
}
