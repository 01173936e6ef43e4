// The plans on sale, monthly or yearly. The first plan is started, any other is a change. Both show
// the cost before the payment.
import type { BillingSummary, Plan, SubscriptionPreview } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import { useResource } from '../../../data/resource.ts'
import type { Me } from '../../../data/session.ts'
import { formatDate } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { openExternalPage } from '../../../router/external-page.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Listing } from '../../../ui/base/listing.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { ChangePreview, type PlanChange } from './change-preview.tsx'
import { canStartPlan, type Interval, priceText, seatCount, yearlySaving } from './plan-texts.ts'

type Props = { me: Me; summary: BillingSummary; onNews: () => Promise<void> }

export function PlanOffers({ me, summary, onNews }: Props) {
  const { currency } = me
  const plans = useResource('plans', () => api.plans.list())
  const interval = useSignal<Interval>(summary.subscription?.interval ?? 'month')
  const change = useSignal<PlanChange | null>(null)
  const isFirst = canStartPlan(summary)
  const isOwner = me.role === 'owner'
  const disabledReason = disabledReasonFor(me, summary)
  return (
    <Section title={isFirst ? t('Choose a plan') : t('Change plan')}>
      <p>
        {isFirst
          ? t('You pay by card, or from your wallet if no card supports your currency. Prices include tax.')
          : t('You see the cost before you pay. Prices include tax.')}
      </p>
      {disabledReason && (
        <p class="help" id="offers-barred">
          {disabledReason}
        </p>
      )}
      <div class="interval">
        <Select
          name="interval"
          label={t('Billing period')}
          options={[
            ['month', t('Monthly')],
            ['year', t('Yearly')],
          ]}
          value={interval.value}
          onChoose={(value) => {
            interval.value = value === 'year' ? 'year' : 'month'
          }}
        />
      </div>
      <div class="plans">
        <Listing
          from={plans}
          items={(all) =>
            plansOnOffer(all.plans, interval.value).map((plan) => ({
              ...plan,
              saves: interval.value === 'year' ? yearlySaving(all.plans, plan.code) : null,
            }))
          }
          empty={t('No plans are on sale.')}
        >
          {(plan) => (
            <Offer
              plan={plan}
              saves={plan.saves}
              currency={currency}
              standing={offerState(plan, summary)}
              isBarred={!isOwner || disabledReason !== null}
              onChoose={() => {
                change.value = isFirst ? startPlan(me, plan) : changePlan(me, plan)
              }}
            />
          )}
        </Listing>
      </div>
      {change.value && (
        <ChangePreview
          key={change.value.title}
          change={change.value}
          now={summary}
          currency={currency}
          onNews={onNews}
          onDone={async (words) => {
            await onNews()
            announce(words)
            document.getElementById('screen-title')?.focus()
          }}
          onClose={() => {
            change.value = null
          }}
        />
      )}
    </Section>
  )
}

function disabledReasonFor(me: Me, { subscription }: BillingSummary): string | null {
  if (me.role !== 'owner') return t('Only an owner can choose a plan.')
  if (subscription?.status === 'past_due')
    return t('Pay the open invoice first. Then you can change the plan.')
  return null
}

/** Without a plan users have the free one; a plan ends by cancelling. */
const plansOnOffer = (plans: readonly Plan[], interval: Interval) =>
  plans
    .filter((plan) => plan.interval === interval && plan.amountMinor > 0n)
    .map((plan) => ({ ...plan, id: `${plan.code} ${plan.interval}` }))

type OfferState = 'current' | 'scheduled' | null

function offerState({ code, interval }: Plan, { subscription }: BillingSummary): OfferState {
  if (!subscription || subscription.status === 'incomplete') return null
  if (subscription.planCode === code && subscription.interval === interval) return 'current'
  const { scheduledChange } = subscription
  return scheduledChange?.planCode === code && scheduledChange.interval === interval ? 'scheduled' : null
}

/** While the checkout page is open, the same page is returned: nothing is paid twice. */
const startPlan = ({ orgId }: Me, plan: Plan): PlanChange => {
  const { code: planCode, interval, name } = plan
  return {
    title: t('Start {plan}', { plan: name }),
    plan,
    ask: () => api.subscription.preview({ planCode, interval }),
    async send({ chargeNowMinor: maxMinor }) {
      const started = await sendPaidRequest(
        'checkout',
        [orgId, planCode, interval, maxMinor].join(' '),
        (once) => api.subscription.checkout({ planCode, interval, maxMinor }, once),
      )
      if ('authorizationUrl' in started) await openExternalPage(started.authorizationUrl)
      return t('{plan} is active.', { plan: name })
    },
  }
}

/** The quoted price is part of the intent: another price is another intent. */
const changePlan = ({ orgId, currency }: Me, plan: Plan): PlanChange => {
  const { code: planCode, interval, name } = plan
  const of = ({ expiresAt }: SubscriptionPreview) => [orgId, planCode, interval, expiresAt].join(' ')
  return {
    title: t('Change to {plan}', { plan: name }),
    plan,
    ask: () => api.subscription.preview({ planCode, interval }),
    async send(preview) {
      const done = await sendPaidRequest('subscription.change', of(preview), (once) =>
        api.subscription.change({ planCode, interval }, once),
      )
      if ('changed' in done)
        return t('You now have {plan} and paid {amount}.', {
          plan: name,
          amount: formatMoney(done.chargedMinor, currency),
        })
      return 'scheduled' in done
        ? t('Changes on {date} to {plan}', { date: formatDate(done.effectiveAt), plan: name })
        : t('Your plan continues unchanged.')
    },
  }
}

type OfferProps = {
  plan: Plan
  saves: bigint | null
  currency: Currency
  standing: OfferState
  isBarred: boolean
  onChoose: () => void
}

function Offer({ plan, saves, currency, standing, isBarred, onChoose }: OfferProps) {
  const { name, includedUsageMinor, seatAllotment } = plan
  const price = priceText(plan, currency)
  return (
    <div class="card plan-card">
      <h3>
        {name} {standing === 'current' && <span class="chip ok">{t('Your plan')}</span>}
        {standing === 'scheduled' && <span class="chip warn">{t('Scheduled')}</span>}
      </h3>
      <p class="figure">
        <bdi>{price}</bdi>
      </p>
      <ul class="help">
        <li>{t('{amount} of usage every month', { amount: formatMoney(includedUsageMinor, currency) })}</li>
        <li>{seatCount(seatAllotment)}</li>
        {saves !== null && <li>{t('Saves {amount} a year', { amount: formatMoney(saves, currency) })}</li>}
      </ul>
      {standing === null && (
        <button
          type="button"
          aria-label={t('Choose {plan} for {price}', { plan: name, price })}
          aria-haspopup="dialog"
          disabled={isBarred}
          aria-describedby={isBarred ? 'offers-barred' : undefined}
          onClick={onChoose}
        >
          {t('Choose {plan}', { plan: name })}
        </button>
      )}
    </div>
  )
}
