// The wallet: what is in it, how to fill it, and why it is what it is.
import { api } from '../api.ts'
import { usePages } from '../app/pages.ts'
import { place } from '../app/place.ts'
import { useResource } from '../app/resource.ts'
import { Sheet } from '../app/sheet.tsx'
import { type Me, recheck, session } from '../identity/session.ts'
import { Balance } from './balance.tsx'
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
  const balances = useResource('wallet', () => api.wallet.get())
  const channels = useResource('wallet.channels', () => api.wallet.channels())
  const topups = usePages('topups', 'wallet.topups', (cursor) => api.wallet.topups({ limit: 10, ...cursor }))
  const entries = usePages('entries', 'wallet.ledger', (cursor) =>
    api.wallet.ledger({ limit: 20, ...cursor }),
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
    <Sheet title="Wallet" wide>
      {reference !== null && (
        <Payment key={reference} reference={reference} currency={currency} purpose={TOPUP} onNews={refresh} />
      )}
      <Balance from={balances} currency={currency} />
      {reference === null && <TopUp me={me} from={channels} onBegun={() => void topups.load()} />}
      <TopUps
        pages={topups}
        channels={offered.state === 'ready' ? offered.value.channels : []}
        currency={currency}
      />
      <Ledger pages={entries} currency={currency} />
      {me.role === 'owner' && <Threshold currency={currency} />}
      <ProofLine from={proof} />
    </Sheet>
  )
}
