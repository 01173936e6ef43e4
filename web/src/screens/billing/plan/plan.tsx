// The current plan: price, status, remaining usage and cancellation.
import type { BillingSummary, Subscription } from '@cowrie/sdk'
import type { Resource } from '../../../data/resource.ts'
import type { Me } from '../../../data/session.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { type Fact, Facts } from '../../../ui/base/facts.tsx'
import { UndoChange } from './cancel-plan.tsx'
import { IncludedUsage } from './included-usage.tsx'
import { nextPaymentText, PLAN_NAMES, planStatus, priceText, seatsText } from './plan-texts.ts'

type Props = { from: Resource<BillingSummary>; me: Me; onNews: () => Promise<void> }

export function YourPlan({ from, me, onNews }: Props) {
  const { currency } = me
  const current = from.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={from.load} />
  const known = current.state === 'ready' ? current.value : null
  return (
    <section class="your-plan" aria-label={t('Your plan')} aria-busy={known === null}>
      <p class="small-title">{t('Your plan')}</p>
      <p class={known ? 'amount' : 'blank amount'} data-testid="plan">
        {known && nameOf(known)}
      </p>
      {known ? <StatusLine summary={known} /> : <span class="blank line" />}
      {known === null && <span class="blank included-place" />}
      {known?.subscription && known.plan && (
        <>
          {known.included.totalMinor > 0n && <IncludedUsage included={known.included} currency={currency} />}
          <Facts lines={factsOf(known, known.subscription, currency)} />
          <UndoChange subscription={known.subscription} me={me} onNews={onNews} />
        </>
      )}
    </section>
  )
}

const nameOf = ({ subscription, plan }: BillingSummary): string =>
  plan?.name ?? (subscription ? PLAN_NAMES[subscription.planCode] : t('Pay as you go'))

function StatusLine({ summary: { subscription, plan } }: { summary: BillingSummary }) {
  if (!subscription)
    return <p class="help">{t('You pay for usage from your wallet. A plan includes monthly usage.')}</p>
  const { chip, label, words } = planStatus(subscription, plan)
  return (
    <p class="plan-standing">
      <span class={`chip ${chip}`} data-testid="plan-chip">
        {label}
      </span>{' '}
      {words}
    </p>
  )
}

function factsOf({ plan, seats }: BillingSummary, subscription: Subscription, currency: Currency): Fact[] {
  if (!plan) return []
  const { seatPriceMinor, interval } = plan
  const each = priceText({ amountMinor: seatPriceMinor, interval }, currency)
  return [
    [t('Price'), subscription.comped ? t('Free (complimentary plan)') : priceText(plan, currency)],
    ...(seats.purchased > 0
      ? [[t('Additional seats: {n}, each', { n: seats.purchased }), each] as const]
      : []),
    [t('Next payment'), nextPaymentText(subscription, currency)],
    [t('Monthly usage'), formatMoney(plan.includedUsageMinor, currency)],
    [t('Seats'), seatsText(seats)],
  ]
}
