// Seats: how many there are, and the price of more, shown before the payment.
import type { BillingSummary, Plan } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { problem } from '../../../data/failure.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import type { Me } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { ChangePreview, type PlanChange } from './change-preview.tsx'
import { priceText, seatCount, seatsText } from './plan-texts.ts'

type Props = { me: Me; summary: BillingSummary; plan: Plan; onNews: () => Promise<void> }

export function Seats({ me, summary, plan, onNews }: Props) {
  const { seats } = summary
  const change = useSignal<PlanChange | null>(null)
  const action = useAction(async (form: FormData) => {
    const wanted = wholeNumber(textOf(form, 'seats'))
    if (wanted === null || wanted < 1) throw problem(t('must be a whole number'), { path: 'seats' })
    if (wanted < seats.occupied)
      throw problem(t('must be at least {n}: that many are in use', { n: seats.occupied }), { path: 'seats' })
    if (wanted === seats.total) throw problem(t('is your current number'), { path: 'seats' })
    change.value = changeSeats(me, plan, wanted)
  })
  const { seatPriceMinor, interval, seatAllotment } = plan
  const each = priceText({ amountMinor: seatPriceMinor, interval }, me.currency)
  return (
    <Section title={t('Seats')}>
      <p>
        {seatsText(seats)}.{' '}
        {t('{seats} are included. Each additional seat costs {price}.', {
          seats: seatCount(seatAllotment),
          price: each,
        })}
      </p>
      {me.role === 'owner' ? (
        <Form
          action={action}
          submit={t('Show price')}
          busy={t('Please wait …')}
          fields={['seats']}
          back="seats"
        >
          <Field
            name="seats"
            label={t('Number of seats')}
            help={t('More seats are charged for the rest of the period. Fewer seats lower the next bill.')}
            failure={action.failure.value}
            value={String(seats.total)}
            required
            inputMode="numeric"
            dir="ltr"
            autocomplete="off"
            maxLength={5}
          />
        </Form>
      ) : (
        <p class="help">{t('Only an owner can change these.')}</p>
      )}
      {change.value && (
        <ChangePreview
          change={change.value}
          now={summary}
          currency={me.currency}
          onNews={onNews}
          onDone={async (words) => {
            await onNews()
            announce(words)
          }}
          onClose={() => {
            change.value = null
          }}
        />
      )}
    </Section>
  )
}

/** Changes the total number of seats of the current plan. */
export const changeSeats = ({ orgId, currency }: Me, plan: Plan, wanted: number): PlanChange => ({
  title: t('Change to {seats}', { seats: seatCount(wanted) }),
  plan,
  ask: () => api.subscription.preview({ seats: wanted }),
  async send({ expiresAt }) {
    const { seats, chargedMinor } = await sendPaidRequest(
      'subscription.seats',
      [orgId, wanted, expiresAt].join(' '),
      (once) => api.subscription.seats({ seats: wanted }, once),
    )
    return t('You now have {seats} and paid {amount}.', {
      seats: seatCount(seats),
      amount: formatMoney(chargedMinor, currency),
    })
  },
})

const wholeNumber = (text: string): number | null =>
  /^\d{1,5}$/.test(text.trim()) ? Number(text.trim()) : null
