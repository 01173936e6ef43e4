// Pays an open invoice before the next automatic attempt, with a stored card or on the page of the provider.
import type { Invoice } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { ApiFailure } from '../../data/failure.ts'
import { isOnline } from '../../data/network.ts'
import { sendPaidRequest } from '../../data/paid-request.ts'
import type { Me } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { openExternalPage } from '../../router/external-page.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { Select } from '../../ui/input/select.tsx'
import { moneyIn } from '../../ui/money/currencies.ts'

type Props = { invoice: Invoice; me: Me; onPaid: () => Promise<void> }

export function PayInvoice({ invoice, me, onPaid }: Props) {
  const { id, number } = invoice
  const amount = moneyIn(invoice.totalMinor, invoice.currency)
  return (
    <DialogButton
      label={t('Pay {amount}', { amount })}
      name={t('for invoice {number}', { number })}
      look="primary"
      question={t('Pay {amount} for invoice {number}?', { amount, number })}
      disabledReason={disabledReasonFor(me)}
      act={async (form) => {
        const isHosted = textOf(form, 'how') === 'page'
        if (await pay(id, isHosted)) {
          await onPaid()
          announce(t('{amount} is paid', { amount }))
        }
      }}
    >
      <p>{t('This exact amount is charged once.')}</p>
      <Select
        name="how"
        label={t('Payment method')}
        options={[
          ['stored', t('Stored cards, the default first')],
          ['page', t("Another card, on the provider's page")],
        ]}
      />
    </DialogButton>
  )
}

/** Whether it is paid. Opens the page of the provider where one is needed. */
async function pay(id: string, hosted: boolean): Promise<boolean> {
  try {
    const done = await sendPaidRequest('invoice', `${id} ${hosted}`, (once) =>
      api.invoices.pay(id, { hosted }, once),
    )
    if ('paid' in done) return true
    await openExternalPage(done.authorizationUrl)
    return false
  } catch (error) {
    const page =
      error instanceof ApiFailure && error.code === 'card_challenged' && error.detail.authorizationUrl
    if (typeof page !== 'string') throw error
    // The bank requires the customer to confirm, who has just chosen to pay.
    await openExternalPage(page)
    return false
  }
}

function disabledReasonFor(me: Me): string | null {
  if (me.role !== 'owner') return t('Only an owner can pay it.')
  return isOnline.value ? null : t('You are offline.')
}
