// The current plan: price, status, remaining usage and cancellation.
import type { BillingSummary, Subscription } from '@cowrie/sdk'
import type { Resource } from '../../../data/resource.ts'
import type { Me } from '../../../data/session.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Refusal } from '../../../ui/base/error-notice.tsx'
import { type Line, Receipt } from '../../../ui/base/facts.tsx'
import { Ending } from './cancel-plan.tsx'
import { Included } from './included-usage.tsx'
import { nextPaymentWords, PLAN_NAMES, planStanding, priceWords, seatsWords } from './plan-texts.ts'

type Props = { from: Resource<BillingSummary>; me: Me; onNews: () => Promise<void> }

export function YourPlan({ from, me, onNews }: Props) {
  const { currency } = me
  const current = from.current.value
  if (current.state === 'failed') return <Refusal failure={current.failure} retry={from.load} />
  const known = current.state === 'ready' ? current.value : null
  return (
    <section class="your-plan" aria-label={t('Your plan')} aria-busy={known === null}>
      <p class="small-title">{t('Your plan')}</p>
      <p class={known ? 'amount' : 'blank amount'} data-testid="plan">
        {known && nameOf(known)}
      </p>
      {known ? <Standing summary={known} /> : <span class="blank line" />}
      {known === null && <span class="blank included-place" />}
      {known?.subscription && known.plan && (
        <>
          {known.included.totalMinor > 0n && <Included included={known.included} currency={currency} />}
          <Receipt lines={factsOf(known, known.subscription, currency)} />
          <Ending subscription={known.subscription} plan={known.plan} me={me} onNews={onNews} />
        </>
      )}
    </section>
  )
}

const nameOf = ({ subscription, plan }: BillingSummary): string =>
  plan?.name ?? (subscription ? PLAN_NAMES[subscription.planCode] : t('Pay as you go'))

function Standing({ summary: { subscription, plan } }: { summary: BillingSummary }) {
  if (!subscription)
    return (
      <p class="help">
        {t(
          'Without a plan you pay for what you use, from your wallet. A plan includes usage every month, which is spent first.',
        )}
      </p>
    )
  const { chip, label, words } = planStanding(subscription, plan)
  return (
    <p class="plan-standing">
      <span class={`chip ${chip}`} data-testid="plan-chip">
        {label}
      </span>{' '}
      {words}
    </p>
  )
}

function factsOf({ plan, seats }: BillingSummary, subscription: Subscription, currency: Currency): Line[] {
  if (!plan) return []
  const { seatPriceMinor, interval } = plan
  const each = priceWords({ amountMinor: seatPriceMinor, interval }, currency)
  return [
    [t('Price'), subscription.comped ? t('Nothing: it is given to you') : priceWords(plan, currency)],
    ...(seats.purchased > 0 ? [[t('Further seats: {n}, each', { n: seats.purchased }), each] as const] : []),
    [t('Next payment'), nextPaymentWords(subscription, currency)],
    [t('Usage every month'), formatMoney(plan.includedUsageMinor, currency)],
    [t('Seats'), seatsWords(seats)],
  ]
}
