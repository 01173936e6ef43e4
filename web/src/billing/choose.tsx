// Choosing a first plan. It is paid on the page of the card provider, and begins when it is.
import { useSignal } from '@preact/signals'
import { api } from '../api.ts'
import { announce } from '../app/announcer.tsx'
import { isPassing } from '../app/form.tsx'
import { sendIntent } from '../app/intent.ts'
import { leaveFor } from '../app/leave.ts'
import { Listing } from '../app/listing.tsx'
import { Refusal } from '../app/refusal.tsx'
import { useResource } from '../app/resource.ts'
import { Part } from '../app/sheet.tsx'
import { type Action, useAction } from '../app/use-action.ts'
import type { Me } from '../identity/session.ts'
import { type Currency, formatMoney } from '../money.ts'
import { priceWords } from './plan-words.ts'
import type { Interval, Plan } from './types.ts'

type Begun = { activated: true } | { authorizationUrl: string }

export function Choose({ me, onBegun }: { me: Me; onBegun: () => Promise<void> }) {
  const plans = useResource('plans', () => api.plans.list())
  const interval = useSignal<Interval>('month')
  const chosen = useSignal<Plan | null>(null)
  const isOwner = me.role === 'owner'
  const choice = useAction(async (plan: Plan) => {
    chosen.value = plan
    const begun = await begin(me.orgId, plan)
    if ('authorizationUrl' in begun) return leaveFor(begun.authorizationUrl)
    await onBegun()
    announce(`${plan.name} is active.`)
    document.getElementById('screen-title')?.focus()
  })
  return (
    <Part title="Choose a plan">
      <p>
        {isOwner
          ? 'You pay by card on the next page, or from your wallet where no card serves your currency. Prices include tax.'
          : 'An owner of your organisation can choose one. Prices include tax.'}
      </p>
      <div class="field interval">
        <label for="interval">Paid</label>
        <select
          id="interval"
          value={interval.value}
          onChange={(event) => {
            interval.value = event.currentTarget.value === 'year' ? 'year' : 'month'
            choice.reset()
          }}
        >
          <option value="month">Every month</option>
          <option value="year">Every year</option>
        </select>
      </div>
      <Listing
        from={plans}
        items={(all) => offered(all.plans, interval.value)}
        empty="There are none for sale."
      >
        {(plan) => (
          <Offer
            plan={plan}
            currency={me.currency}
            choice={isOwner ? choice : null}
            isChosen={chosen.value?.code === plan.code}
          />
        )}
      </Listing>
    </Part>
  )
}

/** Asked again while its page is open, the same page is returned: nothing is paid twice. */
const begin = (orgId: string, { code: planCode, interval }: Plan): Promise<Begun> =>
  sendIntent('checkout', [orgId, planCode, interval].join(' '), (once) =>
    api.subscription.checkout({ planCode, interval }, once),
  )

/** Who has no plan has what the free one gives. */
const offered = (plans: readonly Plan[], interval: Interval) =>
  plans
    .filter((plan) => plan.interval === interval && plan.amountMinor > 0n)
    .map((plan) => ({ ...plan, id: plan.code }))

type OfferProps = { plan: Plan; currency: Currency; choice: Action<[Plan]> | null; isChosen: boolean }

function Offer({ plan, currency, choice, isChosen }: OfferProps) {
  const { name, includedUsageMinor, seatAllotment } = plan
  const price = priceWords(plan, currency)
  const refused = isChosen ? choice?.failure.value : null
  const isBusy = isChosen && choice?.busy.value === true
  return (
    <div class="row">
      <div>
        <p class="row-name">
          {name}: <bdi>{price}</bdi>
        </p>
        <p class="help">
          {formatMoney(includedUsageMinor, currency)} of usage every month ·{' '}
          {`${seatAllotment}\u00a0${seatAllotment === 1 ? 'seat' : 'seats'}`}
        </p>
        {refused && (
          <Refusal failure={refused} retry={isPassing(refused) ? () => choice?.run(plan) : undefined} />
        )}
      </div>
      {choice && (
        <button
          type="button"
          aria-label={`Choose ${name} for ${price}`}
          aria-disabled={choice.busy.value}
          onClick={() => void choice.run(plan)}
        >
          {isBusy ? 'One moment …' : 'Choose'}
        </button>
      )}
    </div>
  )
}
