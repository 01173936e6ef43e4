// The included usage of a plan, as a ring and as a table.
import type { BillingSummary } from '@cowrie/sdk'
import { formatDate } from '../../../i18n/format.ts'
import type { Currency } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { percentOf } from '../../../ui/charts/percent.ts'

type Props = { included: BillingSummary['included']; currency: Currency }

export function IncludedUsage({ included, currency }: Props) {
  const { totalMinor, usedMinor, remainingMinor, resetsAt } = included
  return (
    <div class="included">
      <Ring percent={percentOf(remainingMinor, totalMinor)} />
      <table class="facts">
        <caption>{t('Included usage this month')}</caption>
        <tbody>
          <tr>
            <th scope="row">{t('Used')}</th>
            <td>
              <Amount minor={usedMinor} currency={currency} />
            </td>
          </tr>
          <tr>
            <th scope="row">{t('Left')}</th>
            <td>
              <Amount minor={remainingMinor} currency={currency} testId="included-left" />
            </td>
          </tr>
          <tr>
            <th scope="row">{t('Total')}</th>
            <td>
              <Amount minor={totalMinor} currency={currency} />
            </td>
          </tr>
          <tr>
            <th scope="row">{t('Resets')}</th>
            <td>{resetsAt ? formatDate(resetsAt) : t('Not automatically')}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

/** The circumference is 100, so that lengths are percentages. */
const Ring = ({ percent }: { percent: number }) => (
  <svg class="ring" viewBox="0 0 120 120" width="120" height="120" aria-hidden="true">
    <circle class="ring-all" cx="60" cy="60" r="50" />
    <circle
      class="ring-left"
      cx="60"
      cy="60"
      r="50"
      pathLength={100}
      stroke-dasharray={`${percent} 100`}
      transform="rotate(-90 60 60)"
    />
    <text x="60" y="58" class="ring-number">
      {t('{n} %', { n: percent })}
    </text>
    <text x="60" y="76" class="ring-word">
      {t('left')}
    </text>
  </svg>
)
