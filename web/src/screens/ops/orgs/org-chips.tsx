// The state of an organisation as chips.
import type { AdminOrg } from '@cowrie/sdk'
import { t } from '../../../i18n/t.ts'
import { KYC_TEXTS, ORG_TIERS } from './org-texts.ts'

export function OrgChips({ org }: { org: AdminOrg }) {
  const [kyc, look] = KYC_TEXTS[org.kycStatus]
  return (
    <p class="chips" data-testid="org-chips">
      {org.suspended && <span class="chip bad">{t('Suspended')}</span>}
      {org.closed && <span class="chip bad">{t('Closed')}</span>}
      <span class="chip">{t(ORG_TIERS[org.tier])}</span>
      <span class={look}>{t('Identity: {state}', { state: t(kyc) })}</span>
      {org.subscriptionStatus === 'past_due' && <span class="chip warn">{t('Payment overdue')}</span>}
    </p>
  )
}
