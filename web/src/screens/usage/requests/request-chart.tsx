// Requests by hour or day as bars, with their totals.
import type { UsageRequestSummaryReply } from '@cowrie/sdk'
import type { Signal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { formatTime } from '../../../i18n/format.ts'
import { locale } from '../../../i18n/language.ts'
import type { Currency } from '../../../i18n/money.ts'
import { t, tn } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Bars } from '../../../ui/charts/bars.tsx'
import { shortDay } from '../../../ui/charts/short-day.ts'
import { bucketOf, type RequestFilter, summaryQuery } from './request-query.ts'

type Bucket = UsageRequestSummaryReply['buckets'][number]
type Props = { filter: Signal<RequestFilter>; nowMs: number; currency: Currency }

export function RequestChart({ filter, nowMs, currency }: Props) {
  const query = summaryQuery(filter.value, nowMs)
  const read = useResource(`usage requests summary ${JSON.stringify(query)}`, () =>
    api.usage.requestSummary(query),
  )
  const current = read.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={read.load} />
  if (current.state === 'loading') return <span class="blank request-chart-place" aria-busy="true" />
  const { buckets } = current.value
  const { bar } = filter.value
  return (
    <div class="request-chart">
      <Totals buckets={buckets} currency={currency} />
      <Bars
        label={t('Requests')}
        of={bucketOf(filter.value) === 'hour' ? t('Hour') : t('Day')}
        series={[t('Succeeded'), t('Failed')]}
        bars={buckets.map((each) => ({
          id: each.at,
          name: nameOf(each.at, bucketOf(filter.value)),
          values: [BigInt(each.requests - each.errors), BigInt(each.errors)],
        }))}
        format={(value) => new Intl.NumberFormat(locale()).format(value)}
        chosen={bar}
        onChoose={(id) => {
          filter.value = { ...filter.value, bar: bar === id ? null : id }
        }}
      />
      {bar !== null && (
        <p>
          {t('Showing {name} only.', { name: nameOf(bar, bucketOf(filter.value)) })}{' '}
          <button
            type="button"
            class="plain"
            onClick={() => {
              filter.value = { ...filter.value, bar: null }
            }}
          >
            {t('Show all')}
          </button>
        </p>
      )}
    </div>
  )
}

function Totals({ buckets, currency }: { buckets: readonly Bucket[]; currency: Currency }) {
  const requests = buckets.reduce((sum, each) => sum + each.requests, 0)
  const errors = buckets.reduce((sum, each) => sum + each.errors, 0)
  const costMinor = buckets.reduce((sum, each) => sum + each.costMinor, 0n)
  return (
    <p class="usage-sum">
      <span class="small-title">{t('Spent')}</span>
      <Amount minor={costMinor} currency={currency} class="amount" testId="requests-sum" />
      <span class="help">
        {tn(requests, '{n} request', '{n} requests')} · {tn(errors, '{n} failed', '{n} failed')}
      </span>
    </p>
  )
}

/** Hours are in the time zone of the user, days in UTC as in other figures. */
const nameOf = (at: string, bucket: 'hour' | 'day'): string =>
  bucket === 'hour' ? formatTime(new Date(at)) : shortDay(at.slice(0, 10))
