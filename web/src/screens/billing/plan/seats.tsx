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
      throw problem(t('must be at least {n}: so many are taken', { n: seats.occupied }), { path: 'seats' })
    if (wanted === seats.total) throw problem(t('is what you have'), { path: 'seats' })
    change.value = changeSeats(me, plan, wanted)
  })
  const { seatPriceMinor, interval, seatAllotment } = plan
  const each = priceText({ amountMinor: seatPriceMinor, interval }, me.currency)
  return (
    <Section title={t('Seats')}>
      <p>
        {seatsText(seats)}.{' '}
        {t('{seats} come with the plan; each further one costs {price}.', {
          seats: seatCount(seatAllotment),
          price: each,
        })}
      </p>
      {me.role === 'owner' ? (
        <Form
          action={action}
          submit={t('See what it costs')}
          busy={t('One moment …')}
          fields={['seats']}
          back="seats"
        >
          <Field
            name="seats"
            label={t('How many seats')}
            help={t('More are charged for the rest of the period; fewer cost less from the next one on.')}
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
        <p class="help">{t('An owner of your organisation can change them.')}</p>
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
  title: t('Have {seats}', { seats: seatCount(wanted) }),
  plan,
  ask: () => api.subscription.preview({ seats: wanted }),
  async send({ expiresAt }) {
    const { seats, chargedMinor } = await sendPaidRequest(
      'subscription.seats',
      [orgId, wanted, expiresAt].join(' '),
      (once) => api.subscription.seats({ seats: wanted }, once),
    )
    return t('You have {seats} now, and paid {amount}.', {
      seats: seatCount(seats),
      amount: formatMoney(chargedMinor, currency),
    })
  },
})

const wholeNumber = (text: string): number | null =>
  /^\d{1,5}$/.test(text.trim()) ? Number(text.trim()) : null
