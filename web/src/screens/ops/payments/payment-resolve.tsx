// Resolves a payment under review, once and with a reason.
import type { AdminPayment, AdminPaymentsResolveBody } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { problem } from '../../../data/failure.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import { plainAmount } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { currencyOf, moneyIn } from '../../../ui/money/currencies.ts'
import { parseAmount } from '../../../ui/money/parse-amount.ts'
import { disabledReasonFor } from '../orgs/org-texts.ts'
import { api } from '../shared/staff-api.ts'

type Props = { payment: AdminPayment; onResolved: () => Promise<void> }

export function Resolve({ payment, onResolved }: Props) {
  const { reference, orgName, currency, saidMinor, amountMinor } = payment
  const most = saidMinor ?? amountMinor
  const typed = useSignal(plainAmount(most, currencyOf(currency)))
  const disabledReason = disabledReasonFor('payments')
  const read = parseAmount(typed.value, currencyOf(currency))
  const shown = 'minor' in read ? moneyIn(read.minor, currency) : ''

  async function resolve(body: AdminPaymentsResolveBody) {
    const of = [reference, body.decision, body.amountMinor ?? '', body.note].join(' ')
    const { creditedMinor } = await sendPaidRequest(`resolve ${reference}`, of, (once) =>
      api.admin.payments.resolve(reference, body, once),
    )
    await onResolved()
    announce(
      body.decision === 'credit'
        ? t('{amount} credited.', { amount: moneyIn(creditedMinor, currency) })
        : t('The payment is rejected.'),
    )
    document.getElementById('screen-title')?.focus()
  }

  return (
    <Section title={t('Decision')}>
      <p>
        {t('Requested {asked}; the provider reports {said}. Your decision is final.', {
          asked: moneyIn(amountMinor, currency),
          said: saidMinor === null ? t('nothing to compare') : moneyIn(saidMinor, currency),
        })}
      </p>
      <div class="choices">
        <DialogButton
          label={t('Credit')}
          name={reference}
          submit={shown ? t('Credit {amount}', { amount: shown }) : t('Credit')}
          question={t('Credit this payment to {name}?', { name: orgName })}
          look="primary"
          fields={['amountMinor', 'note']}
          disabledReason={disabledReason}
          act={async (form) => {
            if ('error' in read) throw problem(read.error, { path: 'amountMinor' })
            await resolve({ decision: 'credit', amountMinor: read.minor, note: textOf(form, 'note').trim() })
          }}
        >
          {(failure) => (
            <>
              <p>{t('The wallet of {name} is credited immediately, with an invoice.', { name: orgName })}</p>
              <Field
                name="amountMinor"
                label={t('Amount received, in {currency}', { currency })}
                help={t('At most {amount}.', { amount: moneyIn(most, currency) })}
                failure={failure}
                value={typed.value}
                onInput={(event) => {
                  typed.value = event.currentTarget.value
                }}
                required
                dir="ltr"
                inputMode="decimal"
                autocomplete="off"
                maxLength={24}
              />
              <LongField
                name="note"
                label={t('Reason')}
                failure={failure}
                rows={2}
                required
                maxLength={500}
              />
            </>
          )}
        </DialogButton>
        <DialogButton
          label={t('Reject')}
          name={reference}
          question={t('Reject this payment of {name}?', { name: orgName })}
          look="grave"
          fields={['note']}
          disabledReason={disabledReason}
          act={(form) => resolve({ decision: 'reject', note: textOf(form, 'note').trim() })}
        >
          {(failure) => (
            <>
              <p>
                {t('Nothing is credited to {name}. If money arrived, refund it at the provider.', {
                  name: orgName,
                })}
              </p>
              <LongField
                name="note"
                label={t('Reason')}
                failure={failure}
                rows={2}
                required
                maxLength={500}
              />
            </>
          )}
        </DialogButton>
      </div>
    </Section>
  )
}
