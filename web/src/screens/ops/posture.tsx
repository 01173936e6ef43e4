// The state of the deployment: switches, ledger and payment providers.
import type { AdminPostureReply } from '@cowrie/sdk'
import type { ComponentChildren } from 'preact'
import { type Resource, useResource } from '../../data/resource.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { LedgerCheck } from './posture-ledger.tsx'
import { RailPerformance } from './rails/rail-performance.tsx'
import { RailRoutes } from './rails/rail-routes.tsx'
import { Rails } from './rails/rails.tsx'
import { api } from './shared/staff-api.ts'

export default function Posture() {
  const posture = useResource('ops.posture', () => api.admin.posture())
  const rails = useResource('ops.rails', () => api.admin.rails())
  const routes = useResource('ops.railRoutes', () => api.admin.railRoutes.list())
  const performance = useResource('ops.railPerformance', () => api.admin.railPerformance())
  return (
    <Page title={t('Posture')}>
      <Section title={t('Money')}>
        <LedgerCheck />
      </Section>
      <Section title={t('Features')}>
        <PostureDetails from={posture}>{({ features }) => <Features features={features} />}</PostureDetails>
      </Section>
      <Section title={t('Payment rails')}>
        <PostureDetails from={rails}>{({ rails: all }) => <Rails rails={all} />}</PostureDetails>
      </Section>
      <Section title={t('Order of provider accounts')}>
        <PostureDetails from={routes}>
          {({ routes: all }) => <RailRoutes routes={all} reload={routes.load} />}
        </PostureDetails>
      </Section>
      <Section title={t('Results of provider accounts')}>
        <PostureDetails from={performance}>{(results) => <RailPerformance {...results} />}</PostureDetails>
      </Section>
    </Page>
  )
}

function PostureDetails<T>({
  from,
  children,
}: {
  from: Resource<T>
  children: (value: T) => ComponentChildren
}) {
  const current = from.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={from.load} />
  if (current.state === 'loading') return <div class="blank posture-place" aria-busy="true" />
  return <>{children(current.value)}</>
}

const Features = ({ features }: { features: AdminPostureReply['features'] }) => (
  <>
    <p class="help">
      {t('{live} of {all} are live.', {
        live: String(features.filter(({ live }) => live).length),
        all: String(features.length),
      })}
    </p>
    <ul class="rows lights">
      {features.map(({ key, label, env, live, detail }) => (
        <li key={key}>
          <p>
            <span class="row-name">{label}</span>{' '}
            <span class={live ? 'light on' : 'light'}>{live ? t('live') : t('not live')}</span>
          </p>
          <p class="help">{detail}</p>
          <p class="help">
            <Trans text="Set by {env}." env={<code dir="ltr">{env}</code>} />
          </p>
        </li>
      ))}
    </ul>
  </>
)
