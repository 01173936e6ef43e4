// The table twin of a bar chart: the same figures for screen readers and exact values.
import { t } from '../../i18n/t.ts'
import { type BarsProps, sumOf } from './bars-data.ts'

export function BarsTable({ label, of, series, bars, compare, format, chosen, onChoose }: BarsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
    <section class="number-table" tabIndex={0} aria-label={t('{label}, as a table', { label })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {series.length > 1 && <th scope="col">{t('Total')}</th>}
            {compare && <th scope="col">{compare.name}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar, place) => (
            <tr key={bar.id}>
              <th scope="row">
                {onChoose ? (
                  <button
                    type="button"
                    class="plain"
                    aria-pressed={chosen === bar.id}
                    onClick={() => onChoose(bar.id)}
                  >
                    {bar.name}
                  </button>
                ) : (
                  bar.name
                )}
              </th>
              {bar.values.map((value, at) => (
                <td key={series[at]}>
                  <bdi dir="ltr">{format(value)}</bdi>
                </td>
              ))}
              {series.length > 1 && (
                <td>
                  <bdi dir="ltr">{format(sumOf(bar))}</bdi>
                </td>
              )}
              {compare && (
                <td>
                  <bdi dir="ltr">{format(compare.values[place] ?? 0n)}</bdi>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
