// The current state of the fleet with open tasks for staff, or of one organisation.
import type { MetricsOverviewReply } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { type Fact, Facts } from '../../../ui/base/facts.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { figure, money, type Subject } from './overview-types.ts'

export function Fleet({ subject, name }: { subject: Subject; name: string }) {
  const overview = useResource(`ops.overview ${name}`, () => api.metrics.overview(subject))
  const current = overview.current.value
  return (
    <Section title={t('Now')}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={overview.load} />}
      {current.state === 'loading' && <div class="blank usage-place" aria-busy="true" />}
      {current.state === 'ready' && (
        <Facts
          lines={[...nowLines(current.value), ...fleetLines(current.value), ...orgLines(current.value)]}
        />
      )}
    </Section>
  )
}

const nowLines = ({ wallet, usage, currency }: MetricsOverviewReply): Fact[] => [
  [t('In wallets'), money(wallet.balanceMinor, currency)],
  [t('Held for work in progress'), money(wallet.heldMinor, currency)],
  [t('Used today'), money(usage.today.costMinor, currency)],
]

function fleetLines({ fleet }: MetricsOverviewReply): Fact[] {
  if (fleet === null) return []
  return [
    [t('Organisations'), figure(fleet.orgs)],
    [t('Active organisations, 30 days'), figure(fleet.activeOrgs)],
    [t('People'), figure(fleet.users)],
    [t('Active people, 30 days'), figure(fleet.activeUsers)],
    [t('Paying organisations, 30 days'), figure(fleet.payingOrgs)],
    [t('Suspended'), figure(fleet.suspendedOrgs)],
    [
      t('Identity checks waiting'),
      <a class="wide-link" href="/app/ops/kyc">
        {figure(fleet.kycPending)}
      </a>,
    ],
    [
      t('Payments under review'),
      <a class="wide-link" href="/app/ops/payments">
        {figure(fleet.paymentsInReview)}
      </a>,
    ],
  ]
}

function orgLines({ org, orgId }: MetricsOverviewReply): Fact[] {
  if (org === null || orgId === null) return []
  return [
    [t('Name'), <a href={`/app/ops/orgs/${encodeURIComponent(orgId)}`}>{org.name}</a>],
    [t('Tier'), org.tier],
    [t('Plan'), org.plan ?? '–'],
    [t('Members'), figure(org.members)],
    [t('Suspended'), org.suspended ? t('Yes') : t('No')],
    [t('Active last'), org.lastActiveAt === null ? '–' : formatDateTime(org.lastActiveAt)],
  ]
}
