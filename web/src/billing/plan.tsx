// The plan: what it is, what it costs, how it stands, and what is left of it.
import { Receipt } from '../app/receipt.tsx'
import { Refusal } from '../app/refusal.tsx'
import type { Resource } from '../app/resource.ts'
import { day } from '../app/words.ts'
import { type Currency, formatMoney } from '../money.ts'
import { nextPaymentWords, PLAN_NAMES, planStanding, priceWords, seatsWords } from './plan-words.ts'
import type { Subscription, Summary } from './types.ts'

export function YourPlan({ from, currency }: { from: Resource<Summary>; currency: Currency }) {
  const current = from.current.value
  if (current.state === 'failed') return <Refusal failure={current.failure} retry={from.load} />
  const known = current.state === 'ready' ? current.value : null
  return (
    <section class="balance your-plan" aria-label="Your plan" aria-busy={known === null}>
      <p class="small-title">Your plan</p>
      <p class={known ? 'amount' : 'blank amount'} data-testid="plan">
        {known && nameOf(known)}
      </p>
      {known ? <Standing summary={known} /> : <span class="blank line" />}
      {known?.subscription && known.plan ? (
        <Facts summary={known} subscription={known.subscription} currency={currency} />
      ) : (
        !known && <Receipt lines={BLANK} />
      )}
    </section>
  )
}

const nameOf = ({ subscription, plan }: Summary): string =>
  plan?.name ?? (subscription ? PLAN_NAMES[subscription.planCode] : 'None')

const BLANK = ['Price', 'Next payment', 'Seats', 'Usage refills', 'Usage left'].map(
  (name) => [name, null] as const,
)

function Standing({ summary: { subscription, plan } }: { summary: Summary }) {
  if (!subscription)
    return (
      <p class="help">
        Without a plan you pay for what you use, from your wallet. A plan includes usage every month, which is
        spent first.
      </p>
    )
  const { mark, words } = planStanding(subscription, plan)
  const { openInvoiceId } = subscription
  return (
    <>
      <p class={`state ${mark}`}>{words}</p>
      {openInvoiceId && (
        <p>
          <a class="in-line" href={`/invoices/${openInvoiceId}/receipt`} target="_blank" rel="noopener">
            Open the unpaid invoice
          </a>
        </p>
      )}
    </>
  )
}

type FactsProps = { summary: Summary; subscription: Subscription; currency: Currency }

function Facts({ summary: { plan, seats, included }, subscription, currency }: FactsProps) {
  if (!plan) return null
  const { totalMinor, remainingMinor, resetsAt } = included
  const [left, total] = [remainingMinor, totalMinor].map((minor) => formatMoney(minor, currency))
  return (
    <>
      <Receipt
        lines={[
          ['Price', subscription.comped ? 'Nothing: it is given to you' : priceWords(plan, currency)],
          ...(seats.purchased > 0
            ? [[`Further seats: ${seats.purchased}, each`, seatPrice(plan, currency)] as const]
            : []),
          ['Next payment', nextPaymentWords(subscription, currency)],
          ['Seats', seatsWords(seats)],
          ['Usage refills', resetsAt ? day(resetsAt) : 'Not by itself'],
          ['Usage left', `${left} of ${total}`],
        ]}
      />
      {totalMinor > 0n && (
        <meter class="allowance" aria-hidden="true" max={1} value={share(remainingMinor, totalMinor)} />
      )}
    </>
  )
}

const seatPrice = ({ seatPriceMinor, interval }: NonNullable<Summary['plan']>, currency: Currency): string =>
  priceWords({ amountMinor: seatPriceMinor, interval }, currency)

const share = (part: bigint, whole: bigint): number => Number((part * 1000n) / whole) / 1000
