// Instructions for the payer: open a page, dial a code, answer a prompt, follow instructions, or type a code.
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { isWebAddress } from '../../../router/external-page.ts'
import { Field, fieldError } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { Paybill } from '../paybill.tsx'
import { kindOf, type PaymentStatus } from '../top-up/top-up-types.ts'
import { PhonePrompt } from './phone-prompt.tsx'
import { goToPayment, type StoredInstructions } from './stored-instructions.ts'
import { UssdCode } from './ussd-code.tsx'

type Props = {
  instructions: StoredInstructions | null
  payment: PaymentStatus
  onDecided: () => Promise<void>
}

export function PayerInstructions({ instructions, payment: { reference, mode, channel }, onDecided }: Props) {
  if (!instructions)
    return <p class="help">{t('Open the browser where you started this payment to see the instructions.')}</p>
  const { authorizationUrl, ussdCode, displayText, otpRequired, phone, at } = instructions
  const isPushed = kindOf(channel) === 'push' && !otpRequired
  return (
    <>
      {ussdCode && <UssdCode code={ussdCode} />}
      {isPushed && <PhonePrompt channel={channel} phone={phone} at={at} />}
      {channel === 'mpesa' && mode === 'live' && <Paybill />}
      {displayText && (
        <p class={ussdCode || isPushed ? 'help' : 'instruction'} dir="auto">
          {displayText}
        </p>
      )}
      {otpRequired && <NetworkCode reference={reference} phone={phone} onDecided={onDecided} />}
      {authorizationUrl && isWebAddress(authorizationUrl) && (
        <p class="onward">
          <a class={ussdCode ? 'button' : 'button primary'} href={authorizationUrl}>
            {mode === 'mock' ? t('Open test bank') : t('Go to payment page')}
          </a>
        </p>
      )}
    </>
  )
}

type CodeProps = { reference: string; phone: string | null; onDecided: () => Promise<void> }

/** Some networks send a code that must be typed before they ask for the PIN. */
function NetworkCode({ reference, phone, onDecided }: CodeProps) {
  const action = useAction(async (form: FormData) => {
    const otp = textOf(form, 'otp').replaceAll(/\s/g, '')
    try {
      goToPayment(await api.wallet.topupOtp(reference, { otp }), { phone, replace: true })
    } finally {
      // An error may also have decided the payment.
      await onDecided()
    }
  })
  const failure = action.failure.value
  return (
    <Form
      action={action}
      submit={t('Submit code')}
      busy={t('Submitting …')}
      fields={['otp']}
      back="otp"
      quiet={['payment_code_refused']}
    >
      <Field
        name="otp"
        label={t('Code from your network')}
        help={t('The code sent to your phone.')}
        error={failure?.code === 'payment_code_refused' ? failure.message : fieldError(failure, 'otp')}
        class="code"
        dir="ltr"
        required
        maxLength={20}
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
      />
    </Form>
  )
}
