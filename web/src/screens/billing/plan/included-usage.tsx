// The included usage of a plan: what is left of it, as text and as cloth.
import type { BillingSummary } from '@cowrie/sdk'
import { formatDate } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { percentOf } from '../../../ui/charts/percent.ts'
import { Weave } from '../../../ui/layout/weave.tsx'

const LOW_PERCENT = 20

type Props = { included: BillingSummary['included']; currency: Currency }

export function IncludedUsage({ included, currency }: Props) {
  const { totalMinor, remainingMinor, resetsAt } = included
  const left = percentOf(remainingMinor, totalMinor)
  return (
    <div class="included">
      <p class="small-title">{t('Included usage this month')}</p>
      <p>
        <Amount minor={remainingMinor} currency={currency} class="figure" testId="included-left" />{' '}
        <span class="help">
          {t('left of {amount}', { amount: formatMoney(totalMinor, currency) })}
          {resetsAt && ` · ${t('resets on {date}', { date: formatDate(resetsAt) })}`}
        </span>
      </p>
      <Weave of={left / 100} tone={left < LOW_PERCENT ? 'warn' : 'accent'} />
    </div>
  )
}
