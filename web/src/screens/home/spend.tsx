// The cost of the last thirty days, per day.
import type { MeUsageReply } from '@cowrie/sdk'
import type { Resource } from '../../data/resource.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Bars } from '../../ui/charts/bars.tsx'
import { shortDay } from '../../ui/charts/short-day.ts'
import { lastDays } from './days-left.ts'

const DAYS = 30

export function Spend({ from, currency }: { from: Resource<MeUsageReply>; currency: Currency }) {
  const current = from.current.value
  return (
    <Section title={t('Spend, 30 days')}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <span class="blank spend-place" aria-busy="true" />}
      {current.state === 'ready' && <SpendChart usage={current.value} currency={currency} />}
    </Section>
  )
}

function SpendChart({ usage: { totals, to }, currency }: { usage: MeUsageReply; currency: Currency }) {
  const byDay = new Map(totals.byDay.map(({ day, costMinor }) => [day, costMinor]))
  const format = (minor: bigint) => formatMoney(minor, currency)
  return (
    <>
      <p>
        <bdi dir="ltr" class="spend-sum">
          {format(totals.costMinor)}
        </bdi>{' '}
        <a href="/app/usage">{t('Show usage')}</a>
      </p>
      <Bars
        label={t('Spend, 30 days')}
        of={t('Day')}
        series={[t('Spend')]}
        format={format}
        bars={lastDays(DAYS, new Date(to)).map((day) => ({
          id: day,
          name: shortDay(day),
          values: [byDay.get(day) ?? 0n],
        }))}
      />
    </>
  )
}
