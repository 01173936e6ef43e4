// The top-up page: amount and method, then the payment until it is settled.
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { useResource } from '../../../data/resource.ts'
import { type Me, reloadSession, session } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { appLocation } from '../../../router/location.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { Payment, TOPUP } from '../payment/payment.tsx'
import { TopUp } from './top-up.tsx'
import { TopUpList } from './top-up-list.tsx'
import type { PaymentStatus } from './top-up-types.ts'

export default function TopUpPage() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const { currency } = me
  const reference = appLocation.value.query.get('reference')
  const channels = useResource('wallet.channels', () => api.wallet.channels())
  const topups = usePages('topups', 'wallet.topups', (cursor) => api.wallet.topups({ limit: 10, ...cursor }))
  const offered = channels.current.value

  function refresh({ status }: PaymentStatus): void {
    void topups.load()
    if (status === 'settled') void reloadSession()
  }

  return (
    <Page
      title={t('Top up')}
      note={
        <Trans
          text="{amount} available"
          amount={<Amount minor={me.availableMinor} currency={currency} testId="balance" />}
        />
      }
    >
      <div class="wallet-columns">
        {reference === null ? (
          <TopUp me={me} from={channels} onBegun={() => void topups.load()} />
        ) : (
          <Payment
            key={reference}
            reference={reference}
            currency={currency}
            purpose={TOPUP}
            onNews={refresh}
          />
        )}
        {/* Rendered after the form, so that late parts do not move earlier ones. */}
        {offered.state !== 'loading' && (
          <TopUpList
            pages={topups}
            channels={offered.state === 'ready' ? offered.value.channels : []}
            currency={currency}
          />
        )}
      </div>
    </Page>
  )
}
