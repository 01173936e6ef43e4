// The overview of the platform: cash, usage, subscriptions and open tasks.
import { useSignal } from '@preact/signals'
import { useResource } from '../../../data/resource.ts'
import { t, tn } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { type PickedOrg, PickOrg } from '../shared/pick-org.tsx'
import { api } from '../shared/staff-api.ts'
import { Figures } from './overview-figures.tsx'
import { Fleet } from './overview-fleet.tsx'
import { Orgs } from './overview-orgs.tsx'
import { Series } from './overview-series.tsx'
import type { View } from './overview-types.ts'
import { Usage } from './overview-usage.tsx'

const RANGES = ['7', '30', '90', '365']

export default function Overview() {
  const days = useSignal('30')
  const org = useSignal<PickedOrg | null>(null)
  const view: View = {
    subject: org.value ? { orgId: org.value.id } : { scope: 'all' },
    name: `${org.value?.id ?? 'all'} ${days.value}`,
    days: Number(days.value),
  }
  const kpis = useResource(`ops.kpis ${view.name}`, () =>
    api.metrics.kpis({ ...view.subject, days: view.days }),
  )
  const current = kpis.current.value
  return (
    <Page title={t('Overview')}>
      <div class="filters">
        <Select
          name="range"
          label={t('Range')}
          value={days.value}
          options={RANGES.map((each) => [each, tn(Number(each), 'the last {n} day', 'the last {n} days')])}
          onChoose={(chosen) => {
            days.value = chosen
          }}
        />
        <PickOrg
          name="overview-org"
          label={t('Organisation')}
          picked={org}
          none={t('All organisations, in NGN at the rate card')}
        />
      </div>
      {/* Remount for another organisation or range. */}
      <div key={view.name}>
        {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={kpis.load} />}
        {current.state === 'loading' && <div class="blank figures-place" aria-busy="true" />}
        {current.state === 'ready' && <Figures kpis={current.value} />}
        {current.state === 'ready' && <Series view={view} from={current.value.from} />}
        {current.state === 'ready' && <Usage view={view} from={current.value.from} />}
      </div>
      <Fleet key={`fleet ${view.name}`} subject={view.subject} name={view.name} />
      <Posture />
      {!org.value && <Orgs />}
    </Page>
  )
}

function Posture() {
  const current = useResource('ops.posture', () => api.admin.posture()).current.value
  const features = current.state === 'ready' ? current.value.features : null
  const live = features?.filter((feature) => feature.live).length ?? 0
  return (
    <Section title={t('Posture')}>
      {features && (
        <p>
          <span class={live === features.length ? 'light on' : 'light'}>
            {t('{live} of {all} features are live.', { live: String(live), all: String(features.length) })}
          </span>
        </p>
      )}
      <p class="onward">
        <a href="/app/ops/posture">{t('View posture and check the ledger')}</a>
      </p>
    </Section>
  )
}
