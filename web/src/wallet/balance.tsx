// What is in the wallet, exactly.
import { Receipt } from '../app/receipt.tsx'
import { Refusal } from '../app/refusal.tsx'
import type { Resource } from '../app/resource.ts'
import { type Currency, formatMoney } from '../money.ts'

export type Balances = {
  balanceMinor: bigint
  heldMinor: bigint
  availableMinor: bigint
  includedRemainingMinor: bigint
}

export function Balance({ from, currency }: { from: Resource<Balances>; currency: Currency }) {
  const current = from.current.value
  if (current.state === 'failed') return <Refusal failure={current.failure} retry={from.load} />
  const known = current.state === 'ready' ? current.value : null
  const amount = (minor: bigint | undefined) => minor !== undefined && formatMoney(minor, currency)
  return (
    <section class="balance" aria-label="Balance" aria-busy={known === null}>
      <p class="small-title">Available</p>
      <p>
        <bdi dir="ltr" class={known ? 'amount' : 'blank amount'} data-testid="balance">
          {amount(known?.availableMinor)}
        </bdi>
      </p>
      <Receipt
        lines={[
          ['Balance', known && amount(known.balanceMinor)],
          ['Reserved for work in progress', known && amount(known.heldMinor)],
          ...(known && known.includedRemainingMinor > 0n
            ? [['Left of your plan, spent first', amount(known.includedRemainingMinor)] as const]
            : []),
        ]}
      />
    </section>
  )
}
