// The figures over time: three money series, or one other series.
import type { MetricsTimeseriesReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { locale } from '../../../i18n/language.ts'
import { msg, t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { type Line, Lines } from '../shared/lines.tsx'
import { figure, money, short, type View } from './overview-types.ts'

type Reply = MetricsTimeseriesReply
type Point = Reply['points'][number]
type Field = Exclude<keyof Point, 'at'>
type Interval = Reply['interval']

const SERIES: Readonly<Record<string, { words: string; fields: readonly (readonly [Field, string])[] }>> = {
  money: {
    words: msg('Cash, usage and subscriptions'),
    fields: [
      ['netCreditedMinor', msg('Cash in')],
      ['usageMinor', msg('Recognised usage')],
      ['subscriptionMinor', msg('Paid for subscriptions')],
    ],
  },
  allowance: {
    words: msg('Usage paid by allowances'),
    fields: [['allowanceMinor', msg('Usage paid by allowances')]],
  },
  granted: { words: msg('Granted by staff'), fields: [['grantedMinor', msg('Granted by staff')]] },
  tokens: { words: msg('Tokens'), fields: [['tokens', msg('Tokens')]] },
  turns: { words: msg('Model turns'), fields: [['turns', msg('Model turns')]] },
  active_orgs: { words: msg('Active organisations'), fields: [['activeOrgs', msg('Active organisations')]] },
  active_users: { words: msg('Active people'), fields: [['activeUsers', msg('Active people')]] },
}
const INTERVALS: Readonly<Record<Interval, string>> = {
  hour: msg('By hour'),
  day: msg('By day'),
  week: msg('By week'),
  month: msg('By month'),
}
const HOURS_UP_TO_DAYS = 7

/** `from` comes from the service, because clocks of devices are often wrong. */
export function Series({ view, from }: { view: View; from: string }) {
  const chosen = useSignal('money')
  const interval = useSignal<Interval>(view.days > 90 ? 'week' : 'day')
  const { value: key } = chosen
  // Active organisations and users are counted on request only.
  const metric = key === 'active_orgs' || key === 'active_users' ? key : undefined
  const name = `ops.series ${view.name} ${interval.value} ${metric ?? ''}`
  const series = useResource(name, () =>
    api.metrics.timeseries({ ...view.subject, ...(metric && { metric }), interval: interval.value, from }),
  )
  const current = series.current.value
  return (
    <Section title={t('Over time')}>
      <div class="filters">
        <Select
          name="series"
          label={t('Series')}
          value={chosen.value}
          options={Object.entries(SERIES).map(([each, { words }]) => [each, t(words)])}
          onChoose={(next) => {
            chosen.value = next
          }}
        />
        <Select
          name="interval"
          label={t('Interval')}
          value={interval.value}
          options={Object.entries(INTERVALS)
            .filter(([each]) => each !== 'hour' || view.days <= HOURS_UP_TO_DAYS)
            .map(([each, words]) => [each, t(words)])}
          onChoose={(next) => {
            interval.value = next as Interval
          }}
        />
      </div>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={series.load} />}
      {current.state === 'loading' && <div class="blank lines-place" aria-busy="true" />}
      {current.state === 'ready' && <SeriesChart reply={current.value} chosen={chosen.value} />}
    </Section>
  )
}

function SeriesChart({ reply: { points, currency, interval }, chosen }: { reply: Reply; chosen: string }) {
  const { words, fields } = SERIES[chosen] ?? { words: '', fields: [] }
  const time = new Intl.DateTimeFormat(
    locale(),
    // Intervals are in UTC, and so are their labels.
    interval === 'hour'
      ? { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' }
      : { dateStyle: 'medium', timeZone: 'UTC' },
  )
  const said = (value: bigint | number): string =>
    typeof value === 'bigint' ? money(value, currency) : figure(value)
  const lines = fields.map(([field, name]): Line => {
    const values = points.map((point) => point[field] ?? 0)
    return { name: t(name), values: values.map(Number), valueText: (index) => said(values[index] ?? 0) }
  })
  const values = fields.flatMap(([field]) => points.map((point) => point[field] ?? 0))
  const [lowest, highest] = [Math.min(0, ...values.map(Number)), Math.max(0, ...values.map(Number))]
  const isMoney = values.some((value) => typeof value === 'bigint')
  const edgeWords = (value: number) => (isMoney ? money(BigInt(Math.trunc(value)), currency) : short(value))
  return (
    <Lines
      label={t(words)}
      lines={lines}
      times={points.map(({ at }) => time.format(new Date(at)))}
      top={edgeWords(highest)}
      bottom={edgeWords(lowest)}
    />
  )
}
