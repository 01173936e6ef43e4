// Refunds to the card, account or phone that paid: the request, the states, and the decision about an unclear one.
import type { AdminPayment, AdminPaymentsGetReply, SourceRefund } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { problem } from '../../../data/failure.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { plainAmount } from '../../../i18n/money.ts'
import { msg, t } from '../../../i18n/t.ts'
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
import { refundableMinor } from './payment-texts.ts'

const STATES: Readonly<Record<SourceRefund['state'], readonly [words: string, chip: string]>> = {
  requested: [msg('Being sent'), 'chip'],
  sent: [msg('At the provider'), 'chip'],
  unclear: [msg('Needs attention'), 'chip warn'],
  done: [msg('Paid to the payer'), 'chip ok'],
  failed: [msg('Not paid'), 'chip bad'],
}

type Props = { detail: AdminPaymentsGetReply; reload: () => Promise<void> }

export function SourceRefunds({ detail, reload }: Props) {
  const { payment, sourceRefunds, refundObstacle } = detail
  const left = refundableMinor(payment)
  const isOpen = payment.refundingMinor > 0n
  if (payment.status !== 'settled' || (left === 0n && sourceRefunds.length === 0)) return null
  return (
    <Section title={t('Refund to the payer')}>
      {sourceRefunds.length > 0 && (
        <ul class="rows">
          {sourceRefunds.map((refund) => (
            <Refund key={refund.id} refund={refund} payment={payment} reload={reload} />
          ))}
        </ul>
      )}
      {left > 0n && !isOpen && (
        <Request
          payment={payment}
          leftMinor={left}
          disabledReason={refundObstacle ?? disabledReasonFor('refund')}
          onRequested={reload}
        />
      )}
    </Section>
  )
}

type RefundProps = { refund: SourceRefund; payment: AdminPayment; reload: () => Promise<void> }

function Refund({ refund, payment, reload }: RefundProps) {
  const { id, amountMinor, reason, state, detail, createdAt } = refund
  const [words, look] = STATES[state]
  return (
    <li class="entry">
      <p>
        <bdi dir="ltr">{moneyIn(amountMinor, payment.currency)}</bdi>{' '}
        <span class={look} data-testid="refund-state">
          {t(words)}
        </span>
      </p>
      <p class="help">
        {formatDateTime(createdAt)} · <span dir="auto">{reason}</span>
      </p>
      {detail && <p dir="auto">{detail}</p>}
      {state === 'unclear' && (
        <div class="choices">
          <Decide id={id} decision="returned" label={t('The payer has the money')} reload={reload} />
          <Decide id={id} decision="not_returned" label={t('It was not paid')} reload={reload} />
        </div>
      )}
    </li>
  )
}

type DecideProps = {
  id: string
  decision: 'returned' | 'not_returned'
  label: string
  reload: () => Promise<void>
}

const Decide = ({ id, decision, label, reload }: DecideProps) => (
  <DialogButton
    label={label}
    name={id}
    question={t('Have you looked this refund up at the provider?')}
    look={decision === 'returned' ? 'primary' : 'grave'}
    fields={['providerId', 'note']}
    disabledReason={disabledReasonFor('refund')}
    act={async (form) => {
      const note = textOf(form, 'note').trim()
      const providerId = decision === 'returned' ? textOf(form, 'providerId').trim() : ''
      const body = { decision, note, ...(providerId && { providerId }) }
      await sendPaidRequest(`decide ${id}`, [decision, providerId, note].join(' '), (once) =>
        api.admin.payments.decideRefund(id, body, once),
      )
      announce(t('The refund is decided.'))
      await reload()
    }}
  >
    {(failure) => (
      <>
        <p>
          {decision === 'returned'
            ? t('The frozen money is debited from the wallet.')
            : t('The frozen money is available in the wallet again.')}
        </p>
        {decision === 'returned' && (
          <Field
            name="providerId"
            label={t('Number at the provider, if it has one')}
            failure={failure}
            dir="ltr"
            autocomplete="off"
            maxLength={150}
          />
        )}
        <LongField name="note" label={t('Reason')} failure={failure} rows={2} required maxLength={500} />
      </>
    )}
  </DialogButton>
)

type RequestProps = {
  payment: AdminPayment
  leftMinor: bigint
  disabledReason: string | null
  onRequested: () => Promise<void>
}

function Request({ payment, leftMinor, disabledReason, onRequested }: RequestProps) {
  const { reference, currency, orgName } = payment
  const typed = useSignal(plainAmount(leftMinor, currencyOf(currency)))
  const read = parseAmount(typed.value, currencyOf(currency))
  const shown = 'minor' in read ? moneyIn(read.minor, currency) : ''
  return (
    <DialogButton
      label={t('Refund to the payer')}
      submit={shown ? t('Refund {amount}', { amount: shown }) : t('Refund to the payer')}
      question={t('Return money of {name} to the card, account or phone that paid?', { name: orgName })}
      look="grave"
      fields={['amountMinor', 'reason']}
      disabledReason={disabledReason}
      act={async (form) => {
        if ('error' in read) throw problem(read.error, { path: 'amountMinor' })
        const body = { amountMinor: read.minor, reason: textOf(form, 'reason').trim() }
        await sendPaidRequest(
          `refund ${reference}`,
          [reference, body.amountMinor, body.reason].join(' '),
          (once) => api.admin.payments.refundToSource(reference, body, once),
        )
        announce(t('The refund is requested.'))
        await onRequested()
      }}
    >
      {(failure) => (
        <>
          <p>{t('The amount is frozen in the wallet now, and debited when the provider has paid.')}</p>
          <Field
            name="amountMinor"
            label={t('Amount, in {currency}', { currency })}
            help={t('At most {amount}.', { amount: moneyIn(leftMinor, currency) })}
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
            name="reason"
            label={t('Reason')}
            help={t('Stored in the audit log and printed on the credit note.')}
            failure={failure}
            rows={2}
            required
            maxLength={500}
          />
        </>
      )}
    </DialogButton>
  )
}
