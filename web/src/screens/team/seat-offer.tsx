// The price of one more seat when all are taken.
import type { BillingSummary, Plan } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { ChangePreview, type PlanChange } from '../billing/plan/change-preview.tsx'
import { billText, priceText } from '../billing/plan/plan-texts.ts'
import { changeSeats } from '../billing/plan/seats.tsx'

type Props = {
  me: Me
  summary: BillingSummary
  onBought: (words: string) => Promise<void>
  onNews: () => Promise<void>
}

export function SeatOffer(props: Props) {
  const { me, summary } = props
  const { plan, subscription } = summary
  const isSold = plan !== null && plan.seatPriceMinor > 0n && subscription?.status === 'active'
  return (
    <section class="seat-offer" aria-label={t('Add a seat')}>
      <h3>{t('All seats are taken ({n})', { n: summary.seats.total })}</h3>
      {me.role !== 'owner' && <p>{t('Remove a member or ask an owner for another seat.')}</p>}
      {me.role === 'owner' && !isSold && (
        <>
          <p>{t('Remove a member or choose a plan with more seats.')}</p>
          <p>
            <a class="button" href="/app/billing">
              {t('Show plans')}
            </a>
          </p>
        </>
      )}
      {me.role === 'owner' && isSold && <Price {...props} plan={plan} />}
    </section>
  )
}

function Price({ me, summary, plan, onBought, onNews }: Props & { plan: Plan }) {
  const { currency } = me
  const wanted = summary.seats.total + 1
  const told = useResource(`seats ${wanted}`, () => api.subscription.preview({ seats: wanted }))
  const change = useSignal<PlanChange | null>(null)
  const current = told.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={told.load} />
  const known = current.state === 'ready' ? current.value : null
  const now = known && formatMoney(known.chargeNowMinor, currency)
  return (
    <>
      <Facts
        lines={[
          [t('Additional seat, now'), now && <span data-testid="seat-now">{now}</span>],
          [
            t('Then'),
            known && priceText({ amountMinor: plan.seatPriceMinor, interval: plan.interval }, currency),
          ],
          [t('Next bill'), known && billText(known.nextAmountMinor, known.nextAt, currency)],
        ]}
      />
      <div class="choices">
        <button
          type="button"
          disabled={known === null}
          aria-haspopup="dialog"
          onClick={() => {
            change.value = changeSeats(me, plan, wanted)
          }}
        >
          {t('Add a seat')}
        </button>
      </div>
      {change.value && (
        <ChangePreview
          change={change.value}
          now={summary}
          currency={currency}
          onNews={onNews}
          onDone={onBought}
          onClose={() => {
            change.value = null
          }}
        />
      )}
    </>
  )
}
