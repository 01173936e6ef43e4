// The controls that filter the ledger by source and days.
import type { Signal } from '@preact/signals'
import { t } from '../../../i18n/t.ts'
import { SOURCES } from '../../../ui/money/entry-sources.ts'
import type { Filter } from './filter.ts'

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
