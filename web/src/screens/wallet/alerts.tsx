// When to warn about a low balance.
import { session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { LowBalanceAlert } from './low-balance-alert.tsx'

export default function Alerts() {
  const { value } = session
  if (value.state !== 'in') return null
  const { orgId, currency, role } = value.me
  return (
    <Page title={t('Low-balance alert')} width="reading">
      <LowBalanceAlert key={orgId} currency={currency} isOwner={role === 'owner'} />
    </Page>
  )
}
