// A refund: form, confirmation with amounts, and one idempotent request.
import type { WalletRefundBody, WalletRefundReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { problem } from '../../../data/failure.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import { useAction } from '../../../data/use-action.ts'
import { plainAmount } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { currencyOf, moneyIn } from '../../../ui/money/currencies.ts'
import { parseAmount } from '../../../ui/money/parse-amount.ts'

type Props = {
  orgId: string
  orgName: string
  currency: string
  /** Why the user cannot do it. */
  disabledReason: string | null
  /** The payment to refund, and the amount left. */
  payment?: { reference: string; leftMinor: bigint }
  onGiven: () => Promise<void>
}

export function Refund({ orgId, orgName, currency, disabledReason, payment, onGiven }: Props) {
  const wanted = useSignal<WalletRefundBody | null>(null)
  const done = useSignal<WalletRefundReply | null>(null)
  /** The next refund starts with an empty form below the last result. */
  const round = useSignal(0)
  const source = useSignal<'refund' | 'adjustment'>(payment ? 'refund' : 'adjustment')
  const action = useAction(async (form: FormData) => {
    done.value = null
    const reference = payment?.reference ?? textOf(form, 'reference').trim()
    wanted.value = {
      orgId,
      amountMinor: amountIn(form, currency),
      reason: textOf(form, 'reason').trim(),
      source: source.value,
      ...(reference && { reference }),
    }
  })
  const failure = action.failure.value
  return (
    <>
      {done.value && <RefundDone done={done.value} currency={currency} />}
      <fieldset key={round.value} disabled={disabledReason !== null}>
        <Form
          action={action}
          submit={t('Continue')}
          busy={t('Please wait …')}
          fields={['amount', 'reason', 'reference']}
          back="amount"
        >
          {!payment && (
            <Select
              name="source"
              label={t('Type')}
              value={source.value}
              onChoose={(value) => {
                source.value = value === 'refund' ? 'refund' : 'adjustment'
                action.reset()
              }}
              help={
                source.value === 'refund'
                  ? t('Refers to a settled payment, up to its amount.')
                  : t('A credit at our expense, for example after an error. No maximum.')
              }
              options={[
                ['adjustment', t('Adjustment')],
                ['refund', t('Refund of a payment')],
              ]}
            />
          )}
          {!payment && source.value === 'refund' && (
            <Field
              name="reference"
              label={t('Reference of the payment')}
              failure={failure}
              required
              dir="ltr"
              autocomplete="off"
              spellcheck={false}
              maxLength={200}
            />
          )}
          <Field
            name="amount"
            label={t('Amount, in {currency}', { currency })}
            help={payment && t('At most {amount}.', { amount: moneyIn(payment.leftMinor, currency) })}
            failure={failure}
            {...(payment && { value: plainAmount(payment.leftMinor, currencyOf(currency)) })}
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
        </Form>
      </fieldset>
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
      {wanted.value && (
        <ConfirmRefund
          wanted={wanted.value}
          orgName={orgName}
          currency={currency}
          onClose={() => {
            wanted.value = null
          }}
          onGiven={async (reply) => {
            done.value = reply
            round.value++
            await onGiven()
          }}
        />
      )}
    </>
  )
}

function amountIn(form: FormData, currency: string): bigint {
  const read = parseAmount(textOf(form, 'amount'), currencyOf(currency))
  if ('error' in read) throw problem(read.error, { path: 'amount' })
  if (read.minor === 0n) throw problem(t('must be more than zero'), { path: 'amount' })
  return read.minor
}

type ConfirmProps = {
  wanted: WalletRefundBody
  orgName: string
  currency: string
  onClose: () => void
  onGiven: (reply: WalletRefundReply) => Promise<void>
}

function ConfirmRefund({ wanted, orgName, currency, onClose, onGiven }: ConfirmProps) {
  const amount = moneyIn(wanted.amountMinor, currency)
  const { orgId, amountMinor, source = '', reference = '', reason } = wanted
  return (
    <Dialog
      label={t('Credit {amount}', { amount })}
      question={t('Credit {amount} to {name}?', { amount, name: orgName })}
      onClose={onClose}
      act={async () => {
        const of = [orgId, amountMinor, source, reference, reason].join(' ')
        await onGiven(await sendPaidRequest('refund', of, (once) => api.wallet.refund(wanted, once)))
        announce(t('{amount} credited.', { amount }))
      }}
    >
      <p>
        {t('The wallet of {name} is credited immediately. Nothing is returned to a card or phone.', {
          name: orgName,
        })}
      </p>
      <Facts
        lines={[
          [t('Description'), source === 'refund' ? t('Refund of a payment') : t('Adjustment')],
          ...(reference ? ([[t('Payment'), reference]] as const) : []),
          [t('Amount'), amount],
          [t('Reason'), reason],
        ]}
      />
    </Dialog>
  )
}

const RefundDone = ({ done, currency }: { done: WalletRefundReply; currency: string }) => (
  <p class="note" role="status">
    <span class="ok">
      {t('Credited {amount}. The balance is now {balance}.', {
        amount: moneyIn(done.entry.amountMinor, currency),
        balance: moneyIn(done.balanceMinor, currency),
      })}
    </span>{' '}
    {done.creditNote && t('Credit note {number}.', { number: done.creditNote.number })}
  </p>
)
