// The organisation: facts, verification, policy, export and closing.
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { currencyName } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { Copyable } from '../../ui/base/copyable.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { orgNameFor, ROLES } from '../shared/org-texts.ts'
import { CloseOrg } from './close-org.tsx'
import { ExportData } from './export-data.tsx'
import { IpAllowList } from './ip-allow-list.tsx'
import { OrgPolicy } from './org-policy.tsx'
import { Provisioning } from './provisioning.tsx'
import { Verification } from './verification.tsx'

const TYPES: Readonly<Record<string, string>> = { individual: msg('One person'), team: msg('Team') }

export default function Organisation() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const { section: part } = appLocation.value
  useEffect(() => {
    if (part === 'verification') document.getElementById(part)?.scrollIntoView()
  }, [part])
  return (
    <Page title={t('Organisation')} width="reading">
      {me.orgSuspended && me.role !== 'member' && <WhySuspended />}
      <Facts
        lines={[
          [t('Name'), orgNameFor(me, me.orgName)],
          [t('Kind'), t(TYPES[me.orgType] ?? me.orgType)],
          [t('Your role'), t(ROLES[me.role] ?? me.role)],
          [t('Plan'), me.plan ?? t('Pay as you go')],
          [t('Currency'), `${currencyName(me.currency)} (${me.currency.code})`],
        ]}
      />
      <div class="reference">
        <span class="small-title">{t('Organisation id for support')}</span>
        <Copyable text={me.orgId} label={t('the id of the organisation')} />
      </div>
      <span id="verification" />
      <Verification me={me} />
      <OrgPolicy me={me} />
      {me.role !== 'member' && <IpAllowList me={me} />}
      {me.role === 'owner' && me.orgType === 'team' && <Provisioning orgId={me.orgId} />}
      <ExportData me={me} />
      <CloseOrg me={me} />
    </Page>
  )
}

/** The reason is in the audit log, which owners and administrators may read. */
function WhySuspended() {
  const entries = useResource('audit.suspension', () => api.audit.list({ action: 'org.suspend', limit: 1 }))
  const current = entries.current.value
  const last = current.state === 'ready' ? current.value.entries[0] : undefined
  const reason = typeof last?.metadata.reason === 'string' ? last.metadata.reason : null
  return (
    <section class="why-suspended" aria-label={t('Suspension')} aria-busy={current.state === 'loading'}>
      <h2>{t('Reason for the suspension')}</h2>
      <p dir="auto" data-testid="suspension-reason">
        {current.state === 'loading' ? <span class="blank line" /> : (reason ?? t('No reason given.'))}
      </p>
      {last && <p class="help">{formatDateTime(last.createdAt)}</p>}
      <a class="button" href="/app/contact">
        {t('Contact us')}
      </a>
    </section>
  )
}
