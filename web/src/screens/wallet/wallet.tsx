// The wallet: balance, top-up and ledger.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, reloadSession, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { Section, Sheet } from '../../ui/base/sheet.tsx'
import { Balance } from './balance.tsx'
import { EntryExplanation } from './ledger/explanation.tsx'
import { ALL, type Filter, queryOf } from './ledger/filter.tsx'
import { Ledger } from './ledger/ledger.tsx'
import { ProofLine } from './ledger/ledger-proof.tsx'
import { LowBalanceAlert } from './low-balance-alert.tsx'
import { Payment, TOPUP } from './payment/payment.tsx'
import { TopUp } from './top-up/top-up.tsx'
import { TopUpList } from './top-up/top-up-list.tsx'
import type { PaymentStatus } from './top-up/top-up-types.ts'

export default function Wallet() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const { currency } = me
  const { query } = appLocation.value
  const reference = query.get('reference')
  const entryId = query.get('entry')
  const filter = useSignal<Filter>(ALL)
  const balances = useResource('wallet', () => api.wallet.get())
  const channels = useResource('wallet.channels', () => api.wallet.channels())
  const topups = usePages('topups', 'wallet.topups', (cursor) => api.wallet.topups({ limit: 10, ...cursor }))
  const { source, from, to } = filter.value
  const entries = usePages('entries', ['wallet.ledger', source, from, to].join(' '), (cursor) =>
    api.wallet.ledger({ limit: 20, ...queryOf({ source, from, to }), ...cursor }),
  )
  const proof = useResource('wallet.proof', () => api.wallet.proof())
  const offered = channels.current.value

  function refresh({ status }: PaymentStatus): void {
    void topups.load()
    if (status !== 'settled') return
    for (const each of [balances, entries, proof]) void each.load()
    void reloadSession()
  }

  return (
    <Sheet title={t('Wallet')} wide>
      {entryId !== null && (
        <Section title={t('Transaction')}>
          <EntryExplanation key={entryId} id={entryId} currency={currency} />
        </Section>
      )}
      {reference !== null && (
        <Payment key={reference} reference={reference} currency={currency} purpose={TOPUP} onNews={refresh} />
      )}
      <Balance from={balances} currency={currency} />
      {reference === null && <TopUp me={me} from={channels} onBegun={() => void topups.load()} />}
      {/* Rendered top to bottom, so that late parts do not move earlier ones. */}
      {offered.state !== 'loading' && (
        <>
          <TopUpList
            pages={topups}
            channels={offered.state === 'ready' ? offered.value.channels : []}
            currency={currency}
          />
          {topups.current.value.state !== 'loading' && (
            <Ledger pages={entries} currency={currency} filter={filter} />
          )}
          {topups.current.value.state !== 'loading' && entries.current.value.state !== 'loading' && (
            <>
              <LowBalanceAlert currency={currency} isOwner={me.role === 'owner'} />
              <ProofLine from={proof} />
              <p class="onward">
                <a href="/app/models">{t('Models and prices')}</a>
              </p>
            </>
          )}
        </>
      )}
    </Sheet>
  )
}
