// Filters the ledger by source and days.
import type { WalletLedgerQuery } from '@cowrie/sdk'
import type { Signal } from '@preact/signals'
import { t } from '../../../i18n/t.ts'
import { SOURCES } from '../../../ui/money/entry-sources.ts'

/** The values of the controls: empty for all. Days are in the time zone of the user. */
export type Filter = { source: string; from: string; to: string }

export const ALL: Filter = { source: '', from: '', to: '' }

/** The last day is included, so the end is the start of the next day. */
export function queryOf({ source, from, to }: Filter): WalletLedgerQuery {
  return {
    ...(source && { source: source as NonNullable<WalletLedgerQuery['source']> }),
    ...(from && { from: startOf(from, 0) }),
    ...(to && { to: startOf(to, 1) }),
  }
}

function startOf(day: string, later: number): string {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

export function Filters({ filter }: { filter: Signal<Filter> }) {
  const { source, from, to } = filter.value
  const set = (change: Partial<Filter>) => {
    filter.value = { ...filter.value, ...change }
  }
  return (
    <fieldset class="filters">
      <legend class="unseen">{t('Filter')}</legend>
      <div class="field">
        <label for="ledger-source">{t('Type')}</label>
        <select
          id="ledger-source"
          value={source}
          onChange={(event) => set({ source: event.currentTarget.value })}
        >
          <option value="">{t('All')}</option>
          {Object.entries(SOURCES).map(([name, words]) => (
            <option key={name} value={name}>
              {t(words)}
            </option>
          ))}
        </select>
      </div>
      <Day id="ledger-from" label={t('From')} value={from} onDay={(day) => set({ from: day })} />
      <Day id="ledger-to" label={t('To')} value={to} onDay={(day) => set({ to: day })} />
    </fieldset>
  )
}

type DayProps = { id: string; label: string; value: string; onDay: (day: string) => void }

const Day = ({ id, label, value, onDay }: DayProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} type="date" value={value} onChange={(event) => onDay(event.currentTarget.value)} />
  </div>
)
