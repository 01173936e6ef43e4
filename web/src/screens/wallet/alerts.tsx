// Low balance: the email alert and automatic top-ups.
import { session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { AutomaticTopUp } from './automatic-top-up.tsx'
import { LowBalanceAlert } from './low-balance-alert.tsx'

export default function Alerts() {
  const { value } = session
  if (value.state !== 'in') return null
  const { me } = value
  const { orgId, currency, role } = me
  return (
    <Page title={t('Low balance')} width="reading">
      <LowBalanceAlert key={orgId} currency={currency} isOwner={role === 'owner'} />
      <AutomaticTopUp key={`${orgId} automatic`} me={me} />
    </Page>
  )
}
