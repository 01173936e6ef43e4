// Totals by purpose and by model, in columns: tokens, spent, and the period before.
import type { MeUsageReply } from '@cowrie/sdk'
import { locale } from '../../i18n/language.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { SOURCES } from '../../ui/money/entry-sources.ts'
import { sumsOf, type UsageTotal } from './groups.ts'

/** `before`: undefined while loading, so that its column keeps its place; null if it is not compared. */
type Props = { usage: MeUsageReply; before: MeUsageReply | null | undefined; currency: Currency }

export function Totals({ usage, before, currency }: Props) {
  return (
    <div class="usage-totals">
      {(['source', 'model'] as const).map((by) => (
        <TotalsTable
          key={by}
          name={by === 'source' ? t('Purpose') : t('Model')}
          nameOf={(id) => (by === 'source' ? t(SOURCES[id] ?? id) : id)}
          totals={sumsOf(usage, by)}
          before={before && new Map(sumsOf(before, by).map(({ id, costMinor }) => [id, costMinor]))}
          currency={currency}
        />
      ))}
    </div>
  )
}

type TableProps = {
  name: string
  nameOf: (id: string) => string
  totals: readonly UsageTotal[]
  before: ReadonlyMap<string, bigint> | null | undefined
  currency: Currency
}

const TotalsTable = ({ name, nameOf, totals, before, currency }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
  <section class="number-table" tabIndex={0} aria-label={t('Spend by {group}', { group: name })}>
    <table>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">{t('Tokens')}</th>
          <th scope="col">{t('Spent')}</th>
          {before !== null && <th scope="col">{t('Period before')}</th>}
        </tr>
      </thead>
      <tbody>
        {totals.map(({ id, tokens, costMinor }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{nameOf(id)}</bdi>
            </th>
            <td>{tokens.toLocaleString(locale())}</td>
            <td>
              <bdi dir="ltr">{formatMoney(costMinor, currency)}</bdi>
            </td>
            {before !== null && (
              <td>
                <bdi dir="ltr">{before ? formatMoney(before.get(id) ?? 0n, currency) : '…'}</bdi>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
