// The entries of the wallet, newest first, by day. Each opens as a receipt; the entries of one piece of work open together.
import type { LedgerEntry } from '@cowrie/sdk'
import { computed, type Signal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Pages } from '../../../data/paged-resource.ts'
import type { ResourceState } from '../../../data/resource.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t, tn } from '../../../i18n/t.ts'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { CsvButton } from '../../../ui/files/csv-button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { downloadLedger } from './download-ledger.ts'
import { EntryHeads, EntryLine, entryPath } from './entry-row.tsx'
import { EntryExplanation } from './explanation.tsx'
import type { Filter } from './filter.ts'
import { Filters } from './filters.tsx'
import { type EntryGroup, groupEntries, sumOf } from './group-entries.ts'

type Props = { pages: Pages<LedgerEntry>; currency: Currency; filter: Signal<Filter> }

export function Ledger({ pages, currency, filter }: Props) {
  const { value } = pages.current
  const entries = value.state === 'ready' ? value.value : []
  const isFiltered = Object.values(filter.value).some(Boolean)
  // Another filter has other signals.
  const current = useMemo(() => computed(() => groupsOf(pages)), [pages.current])
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
          <PagedList pages={{ ...pages, current }} empty={t('No matches.')} more={t('Older entries')}>
            {(group) => (
              <>
                {group.opensDay && <Day {...group.opensDay} day={group.day} currency={currency} />}
                <Group group={group} currency={currency} />
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

function groupsOf({ current, hasMore }: Pages<LedgerEntry>): ResourceState<EntryGroup[]> {
  const { value } = current
  return value.state === 'ready' ? { ...value, value: groupEntries(value.value, hasMore.value) } : value
}

const Day = ({
  day,
  spentMinor,
  currency,
}: {
  day: string
  spentMinor: bigint | null
  currency: Currency
}) => (
  <div class="entry-day">
    <h3>{day}</h3>
    {spentMinor !== null && spentMinor > 0n && (
      <span>{t('{amount} spent', { amount: formatMoney(spentMinor, currency) })}</span>
    )}
  </div>
)

function Group({ group: { entries }, currency }: { group: EntryGroup; currency: Currency }) {
  const [newest] = entries
  if (!newest) return null
  if (entries.length === 1) return <Row entry={newest} currency={currency} />
  const all = { ...newest, amountMinor: sumOf(entries) }
  return (
    <details class="entry work">
      <summary>
        <EntryLine
          entry={all}
          currency={currency}
          note={tn(entries.length, '{n} model call', '{n} model calls')}
        />
      </summary>
      <ul class="rows">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Row entry={entry} currency={currency} />
          </li>
        ))}
      </ul>
    </details>
  )
}

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
