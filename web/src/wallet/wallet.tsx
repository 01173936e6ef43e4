// The wallet: what is in it, how to fill it, and why it is what it is.
import { useSignal } from '@preact/signals'
import { api } from '../api.ts'
import { usePages } from '../app/pages.ts'
import { place } from '../app/place.ts'
import { useResource } from '../app/resource.ts'
import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'
import { type Me, recheck, session } from '../identity/session.ts'
import { Balance } from './balance.tsx'
import { ALL, type Filter, queryOf } from './filter.tsx'
import { Ledger } from './ledger.tsx'
import { Payment, TOPUP } from './payment.tsx'
import { ProofLine } from './proof.tsx'
import { Threshold } from './threshold.tsx'
import { TopUp } from './top-up.tsx'
import type { Standing } from './top-up-types.ts'
import { TopUps } from './top-ups.tsx'

export default function Wallet() {
  const { value } = session
  // Another organisation is another wallet: nothing of the last one may stay on the screen.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const { currency } = me
  const reference = place.value.query.get('reference')
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

  function refresh({ status }: Standing): void {
    void topups.load()
    if (status !== 'settled') return
    for (const each of [balances, entries, proof]) void each.load()
    void recheck()
  }

  return (
    <Sheet title={t('Wallet')} wide>
      {reference !== null && (
        <Payment key={reference} reference={reference} currency={currency} purpose={TOPUP} onNews={refresh} />
      )}
      <Balance from={balances} currency={currency} />
      {reference === null && <TopUp me={me} from={channels} onBegun={() => void topups.load()} />}
      {/* From top to bottom: what comes late pushes nothing away that is being read. */}
      {offered.state !== 'loading' && (
        <>
          <TopUps
            pages={topups}
            channels={offered.state === 'ready' ? offered.value.channels : []}
            currency={currency}
          />
          {topups.current.value.state !== 'loading' && (
            <Ledger pages={entries} currency={currency} filter={filter} />
          )}
          {topups.current.value.state !== 'loading' && entries.current.value.state !== 'loading' && (
            <>
              <Threshold currency={currency} isOwner={me.role === 'owner'} />
              <ProofLine from={proof} />
            </>
          )}
        </>
      )}
    </Sheet>
  )
}
