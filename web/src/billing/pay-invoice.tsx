// Paying an open invoice before the cards are tried again: with what is stored, or on the provider's page.
import type { Invoice } from '@cowrie/sdk'
import { ApiFailure, api } from '../api.ts'
import { announce } from '../app/announcer.tsx'
import { textOf } from '../app/form.tsx'
import { sendIntent } from '../app/intent.ts'
import { leaveFor } from '../app/leave.ts'
import { isOnline } from '../app/network.ts'
import { t } from '../i18n/t.ts'
import type { Me } from '../identity/session.ts'
import { moneyIn } from '../kit/currencies.ts'
import { Question } from '../kit/question.tsx'
import { Select } from '../kit/select.tsx'

type Props = { invoice: Invoice; me: Me; onPaid: () => Promise<void> }

export function PayInvoice({ invoice, me, onPaid }: Props) {
  const { id, number } = invoice
  const amount = moneyIn(invoice.totalMinor, invoice.currency)
  return (
    <Question
      label={t('Pay {amount}', { amount })}
      name={t('for invoice {number}', { number })}
      look="primary"
      question={t('Pay {amount} for invoice {number}?', { amount, number })}
      barred={barredBy(me)}
      act={async (form) => {
        const isHosted = textOf(form, 'how') === 'page'
        if (await pay(id, isHosted)) {
          await onPaid()
          announce(t('{amount} is paid', { amount }))
        }
      }}
    >
      <p>{t('Exactly this amount is charged, once.')}</p>
      <Select
        name="how"
        label={t('How')}
        options={[
          ['stored', t('With your stored cards, the default one first')],
          ['page', t('On the page of the card provider, with any card')],
        ]}
      />
    </Question>
  )
}

/** Whether it is paid; where a page has to be opened for it, that is where the reader goes. */
async function pay(id: string, hosted: boolean): Promise<boolean> {
  try {
    const done = await sendIntent('invoice', `${id} ${hosted}`, (once) =>
      api.invoices.pay(id, { hosted }, once),
    )
    if ('paid' in done) return true
    await leaveFor(done.authorizationUrl)
    return false
  } catch (error) {
    const page =
      error instanceof ApiFailure && error.code === 'card_challenged' && error.detail.authorizationUrl
    if (typeof page !== 'string') throw error
    // The bank wants to hear from its customer, who has just said yes to paying.
    await leaveFor(page)
    return false
  }
}

function barredBy(me: Me): string | null {
  if (me.role !== 'owner') return t('An owner of your organisation can pay it.')
  return isOnline.value ? null : t('You are offline.')
}
