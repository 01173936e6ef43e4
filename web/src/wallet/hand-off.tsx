// What the payer has to do: a page to open, a code to dial, words to follow, or a code to type in.
import { api } from '../api.ts'
import { Copyable } from '../app/copy.tsx'
import { Field, faultOf } from '../app/field.tsx'
import { Form, textOf } from '../app/form.tsx'
import { isPage } from '../app/leave.ts'
import { goTo, type Kept } from '../app/place.ts'
import { useAction } from '../app/use-action.ts'
import { moment } from '../app/words.ts'
import type { Begun, Standing } from './top-up-types.ts'

/** Shows a payment that was just begun. What to do stays with the page over reloads. */
export function goToPayment(begun: Begun, { replace = false } = {}): void {
  goTo(`/app/wallet?reference=${encodeURIComponent(begun.reference)}`, { replace, kept: keep(begun) })
}

const keep = ({ authorizationUrl, ussdCode, displayText, otpRequired, expiresAt }: Begun): Kept => ({
  expiresAt,
  ...(authorizationUrl && { authorizationUrl }),
  ...(ussdCode && { ussdCode }),
  ...(displayText && { displayText }),
  ...(otpRequired && { otpRequired: 'yes' }),
})

type Props = { kept: Kept; standing: Standing; onDecided: () => Promise<void> }

export function HandOff({ kept, standing: { reference, mode }, onDecided }: Props) {
  const { authorizationUrl, ussdCode, displayText, otpRequired, expiresAt } = kept
  return (
    <>
      {displayText && <p class="instruction">{displayText}</p>}
      {ussdCode && <Dial code={ussdCode} />}
      {otpRequired && <NetworkCode reference={reference} onDecided={onDecided} />}
      {authorizationUrl && isPage(authorizationUrl) && (
        <p class="onward">
          <a class="button primary" href={authorizationUrl}>
            {mode === 'mock' ? 'Open the approval page' : 'Continue to payment'}
          </a>
        </p>
      )}
      {expiresAt && <p class="help">Pay until {moment(expiresAt)}.</p>}
    </>
  )
}

const Dial = ({ code }: { code: string }) => (
  <div class="dial" data-testid="ussd-code">
    <Copyable text={code} label="the code" />
    <p class="onward">
      <a href={`tel:${code.replaceAll('#', '%23')}`}>Dial it on this phone</a>
    </p>
  </div>
)

/** Some networks send the payer a code and want it back before they ask for the PIN. */
function NetworkCode({ reference, onDecided }: { reference: string; onDecided: () => Promise<void> }) {
  const action = useAction(async (form: FormData) => {
    const otp = textOf(form, 'otp').replaceAll(/\s/g, '')
    try {
      goToPayment(await api.wallet.topupOtp(reference, { otp }), { replace: true })
    } finally {
      // Also a refusal may have decided the payment.
      await onDecided()
    }
  })
  const refused = action.failure.value
  return (
    <Form
      action={action}
      submit="Hand in the code"
      busy="Handing it in …"
      fields={['otp']}
      back="otp"
      quiet={['payment_code_refused']}
    >
      <Field
        name="otp"
        label="Code from your network"
        help="Letters and digits, as they were sent to your phone."
        fault={refused?.code === 'payment_code_refused' ? refused.message : faultOf(refused, 'otp')}
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
