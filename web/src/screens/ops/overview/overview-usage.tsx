// Usage in a range by lane, kind of work and model.
import type { MetricsUsageReply } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { t, tn } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { ShareBar } from '../shared/share-bar.tsx'
import { figure, money, type View } from './overview-types.ts'

type UsageRow = { name: string; costMinor: bigint; tokens: number; turns: number }

export function Usage({ view, from }: { view: View; from: string }) {
  const usage = useResource(`ops.usage ${view.name}`, () => api.metrics.usage({ ...view.subject, from }))
  const current = usage.current.value
  return (
    <Section title={t('Usage')}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={usage.load} />}
      {current.state === 'loading' && <div class="blank usage-place" aria-busy="true" />}
      {current.state === 'ready' && <UsageTables usage={current.value} />}
    </Section>
  )
}

function UsageTables({ usage: { totals, currency, byMember } }: { usage: MetricsUsageReply }) {
  if (totals.turns === 0) return <p>{t('No usage in this range.')}</p>
  const group = (of: Record<string, Omit<UsageRow, 'name'>>): UsageRow[] =>
    Object.entries(of).map(([name, used]) => ({ name, ...used }))
  const models = totals.byModel?.map(({ model, ...used }) => ({ name: model, ...used })) ?? null
  const members = byMember?.map(({ email, ...used }) => ({
    name: email ?? t('no user'),
    ...used,
  }))
  return (
    <>
      <p class="help">
        {t('{amount} for {tokens} tokens.', {
          amount: money(totals.costMinor, currency),
          tokens: figure(totals.tokens),
        })}
      </p>
      <By title={t('By lane')} used={group(totals.byLane)} currency={currency} />
      <By title={t('By kind of work')} used={group(totals.bySource)} currency={currency} />
      {models ? (
        <By title={t('By model')} used={models} currency={currency} />
      ) : (
        <p class="help">{t('By model: choose a range of at most 31 days.')}</p>
      )}
      {members && members.length > 0 && <By title={t('By person')} used={members} currency={currency} />}
    </>
  )
}

function By({ title, used, currency }: { title: string; used: readonly UsageRow[]; currency: string }) {
  const most = Math.max(1, ...used.map(({ tokens }) => tokens))
  return (
    <div class="by">
      <h3>{title}</h3>
      <ul class="rows">
        {used.map(({ name, costMinor, tokens, turns }) => (
          <li key={name} class="row">
            <div>
              <p class="row-name" dir="auto">
                {name}
              </p>
              <p class="help">
                <bdi dir="ltr">{money(costMinor, currency)}</bdi> · {tn(tokens, '{n} token', '{n} tokens')} ·{' '}
                {tn(turns, '{n} turn', '{n} turns')}
              </p>
            </div>
            <ShareBar of={tokens / most} />
          </li>
        ))}
      </ul>
    </div>
  )
}
