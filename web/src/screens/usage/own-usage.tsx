// The usage of the user, as bars and as a list.
import type { MeUsageReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { type ResourceState, useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { locale } from '../../i18n/language.ts'
import { type Currency, formatMoney, plainAmount } from '../../i18n/money.ts'
import { msg, t, tn } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { Section } from '../../ui/base/sheet.tsx'
import { shortMoney } from '../../ui/charts/axis.ts'
import { Bars } from '../../ui/charts/bars.tsx'
import { shortDay } from '../../ui/charts/short-day.ts'
import { csvOf } from '../../ui/files/csv.ts'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { SOURCES } from '../../ui/money/entry-sources.ts'
import { costsByDay, grouped, isIn, isWhole, type Point, type UsageGrouping } from './groups.ts'
import { Totals } from './totals.tsx'

const DAY_MS = 86_400_000
const SHOWN = 50

type Props = { me: Me; days: number; by: UsageGrouping }

export function OwnUsage({ me, days, by }: Props) {
  // From midnight, so that the first bar is a full day.
  const read = useResource(`usage ${days}`, () => api.me.usage({ from: startOf(days) }))
  const before = useResource(`usage before ${days}`, () =>
    isSaving.peek() ? Promise.resolve(null) : api.me.usage({ from: startOf(2 * days), to: startOf(days) }),
  )
  const current = read.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={read.load} />
  if (current.state === 'loading') return <span class="blank usage-place" aria-busy="true" />
  if (current.value.totals.tokens === 0)
    return (
      <EmptyState
        picture="chart"
        title={t('No usage in this period')}
        text={t('Each task, chat and API call adds a bar.')}
        action={
          <a class="button" href="/app/tasks/new">
            {t('New task')}
          </a>
        }
      />
    )
  return (
    <UsageView key={by} usage={current.value} before={before.current.value} by={by} currency={me.currency} />
  )
}

const startOf = (days: number): string =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS).toISOString()

const nameOf = (by: UsageGrouping, id: string): string =>
  by === 'day' ? shortDay(id) : by === 'source' ? t(SOURCES[id] ?? id) : id

type UsageViewProps = {
  usage: MeUsageReply
  /** The same number of days before. Null with data saver on. */
  before: ResourceState<MeUsageReply | null>
  by: UsageGrouping
  currency: Currency
}

function UsageView({ usage, before, by, currency }: UsageViewProps) {
  const chosen = useSignal<string | null>(null)
  const { series, bars } = grouped(usage, by)
  const earlier = before.state === 'ready' ? before.value : null
  const format = (minor: bigint) => formatMoney(minor, currency)
  const points = usage.points.filter((point) => chosen.value === null || isIn(point, by, chosen.value))
  return (
    <>
      <p class="usage-sum">
        <span class="small-title">{t('Spent')}</span>
        <Amount minor={usage.totals.costMinor} currency={currency} class="amount" testId="usage-sum" />
        <span class="help">
          {tn(usage.totals.tokens, '{n} token', '{n} tokens')}
          {earlier && ` · ${t('period before: {amount}', { amount: format(earlier.totals.costMinor) })}`}
        </span>
      </p>
      <Bars
        label={t('Spend')}
        of={t(OF[by])}
        series={series.length > 0 ? series.map((source) => t(SOURCES[source] ?? source)) : [t('Spend')]}
        bars={bars.map((bar) => ({ ...bar, name: nameOf(by, bar.id) }))}
        compare={
          earlier && by === 'day'
            ? { name: t('Period before'), values: costsByDay(earlier).slice(0, bars.length) }
            : undefined
        }
        format={format}
        axis={(minor) => shortMoney(minor, currency)}
        chosen={chosen.value}
        onChoose={(id) => {
          chosen.value = chosen.value === id ? null : id
        }}
      />
      {by === 'day' && (
        <Totals usage={usage} before={before.state === 'loading' ? undefined : earlier} currency={currency} />
      )}
      {(by === 'model' || by === 'day') && !isWhole(usage) && (
        <p class="help">{t('Shows the newest 1,000 entries. The total includes all.')}</p>
      )}
      <Section title={t('Details')}>
        {chosen.value !== null && (
          <p>
            {t('Showing {name} only.', { name: nameOf(by, chosen.value) })}{' '}
            <button
              type="button"
              class="plain"
              onClick={() => {
                chosen.value = null
              }}
            >
              {t('Show all')}
            </button>
          </p>
        )}
        <Points points={points} currency={currency} />
        <div class="choices">
          <button type="button" onClick={() => download(points, currency)}>
            {t('Download as CSV')}
          </button>
        </div>
      </Section>
    </>
  )
}

const OF: Readonly<Record<UsageGrouping, string>> = {
  day: msg('Day'),
  source: msg('Purpose'),
  lane: msg('Lane'),
  model: msg('Model'),
}

function Points({ points, currency }: { points: readonly Point[]; currency: Currency }) {
  const isAll = useSignal(false)
  const shown = isAll.value ? points : points.slice(0, SHOWN)
  return (
    <>
      <div class="usage-line cell-heads" aria-hidden="true">
        <span>{t('Purpose')}</span>
        <span>{t('Time')}</span>
        <span>{t('Model')}</span>
        <span>{t('Tokens')}</span>
        <span>{t('Spent')}</span>
      </div>
      <ul class="rows">
        {shown.map(({ at, source, model, lane, tokens, costMinor }, index) => (
          <li key={index} class="usage-line">
            <span class="row-name">{t(SOURCES[source] ?? source)}</span>
            <span>{formatDateTime(at)}</span>
            <span>
              <bdi>{model}</bdi> · {lane}
            </span>
            <span>
              {tokens.toLocaleString(locale())}
              <span class="unit"> {t('tokens')}</span>
            </span>
            <Amount minor={costMinor} currency={currency} />
          </li>
        ))}
      </ul>
      {shown.length < points.length && (
        <div class="choices">
          <button
            type="button"
            onClick={() => {
              isAll.value = true
            }}
          >
            {tn(points.length - shown.length, '{n} more', '{n} more')}
          </button>
        </div>
      )}
    </>
  )
}

function download(points: readonly Point[], currency: Currency): void {
  const rows = points.map(({ at, source, lane, model, tokens, costMinor }) => [
    at,
    source,
    lane,
    model,
    tokens,
    plainAmount(costMinor, currency),
    currency.code,
  ])
  const head = ['at', 'source', 'lane', 'model', 'tokens', 'cost', 'currency']
  saveFile('cowrie-usage.csv', [csvOf([head, ...rows])], 'text/csv')
}
