// The balance below which the owner gets an email.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { problem } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { useAction } from '../../data/use-action.ts'
import { type Currency, formatMoney, plainAmount } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Field, fieldError } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { parseAmount } from '../../ui/money/parse-amount.ts'

export const LowBalanceAlert = ({ currency, isOwner }: { currency: Currency; isOwner: boolean }) => (
  <Section title={t('Email alert')}>
    <p>{t('Owners and administrators get an email when the balance falls below this amount.')}</p>
    {isOwner ? (
      <ThresholdForm currency={currency} />
    ) : (
      <p class="help">{t('Only an owner can change this.')}</p>
    )}
  </Section>
)

function ThresholdForm({ currency }: { currency: Currency }) {
  const settings = useResource('wallet.settings', () => api.wallet.settings.get())
  const current = settings.current.value
  return (
    <>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={settings.load} />}
      {current.state === 'loading' && <span class="blank threshold-place" aria-busy="true" />}
      {current.state === 'ready' && (
        <Question currency={currency} threshold={current.value.lowBalanceThresholdMinor} />
      )}
    </>
  )
}

function Question({ currency, threshold }: { currency: Currency; threshold: bigint }) {
  const saved = useSignal(threshold)
  const typed = useSignal(plainAmount(threshold, currency))
  const isNew = useSignal(false)
  const action = useAction(async (form: FormData) => {
    isNew.value = false
    const read = parseAmount(textOf(form, 'threshold'), currency)
    if ('error' in read) throw problem(read.error, { path: 'threshold' })
    const { lowBalanceThresholdMinor } = await api.wallet.settings.set({
      lowBalanceThresholdMinor: read.minor,
    })
    saved.value = lowBalanceThresholdMinor
    typed.value = plainAmount(lowBalanceThresholdMinor, currency)
    isNew.value = true
    announce(t('The alert is saved.'))
  })
  const failure = action.failure.value
  const below = { amount: formatMoney(saved.value, currency) }
  return (
    <Form
      action={action}
      submit={t('Save')}
      busy={t('Saving …')}
      fields={['threshold', 'lowBalanceThresholdMinor']}
      back="threshold"
    >
      <Field
        name="threshold"
        label={t('Alert below, in {currency}', { currency: currency.code })}
        help={
          isNew.value ? (
            <span class="ok">{t('Saved. You get an email below {amount}.', below)}</span>
          ) : (
            t('You get an email below {amount}.', below)
          )
        }
        error={fieldError(failure, 'threshold') ?? fieldError(failure, 'lowBalanceThresholdMinor')}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          isNew.value = false
        }}
        required
        dir="ltr"
        inputMode="decimal"
        autocomplete="off"
        maxLength={24}
      />
    </Form>
  )
}
