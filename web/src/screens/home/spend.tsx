// The cost of this month, day by day, against the month before.
import type { MeUsageReply } from '@cowrie/sdk'
import { locale } from '../../i18n/language.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Section } from '../../ui/base/sheet.tsx'
import { shortMoney } from '../../ui/charts/axis.ts'
import { Bars } from '../../ui/charts/bars.tsx'
import { shortDay } from '../../ui/charts/short-day.ts'
import { monthSpend } from './months.ts'

export function Spend({ usage: { totals, to }, currency }: { usage: MeUsageReply; currency: Currency }) {
  const now = new Date(to)
  const { days, sumMinor, beforeMinor } = monthSpend(totals.byDay, now)
  const format = (minor: bigint) => formatMoney(minor, currency)
  const lastMonth = monthName(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)))
  return (
    <Section title={t('Spent this month')}>
      <p class="spend-sum">
        <bdi dir="ltr" class="figure">
          {format(sumMinor)}
        </bdi>{' '}
        <span class="help">
          {t('{month} by this day: {amount}', { month: lastMonth, amount: format(beforeMinor) })}
        </span>
      </p>
      <Bars
        label={t('Spent this month')}
        of={t('Day')}
        series={[t('This month')]}
        compare={{ name: lastMonth, values: days.map((day) => day.beforeMinor) }}
        format={format}
        axis={(minor) => shortMoney(minor, currency)}
        bars={days.map(({ day, costMinor }) => ({ id: day, name: shortDay(day), values: [costMinor] }))}
      />
      <p>
        <a href="/app/usage">{t('Show usage')}</a>
      </p>
    </Section>
  )
}

const monthName = (date: Date): string =>
  new Intl.DateTimeFormat(locale(), { month: 'long', timeZone: 'UTC' }).format(date)
