// Starts the same payment again, with a new reference.

import { session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { msg, t } from '../../../i18n/t.ts'
import { clockText, useSecondsUntil } from '../../../ui/base/countdown.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { isRetryable } from '../../../ui/form/form.tsx'
import { startTopup } from '../top-up/start-topup.ts'
import { type Kind, kindOf, type PaymentStatus } from '../top-up/top-up-types.ts'
import { goToPayment, type StoredInstructions } from './stored-instructions.ts'

/** The same phone is not prompted again earlier. */
const REPEAT_AFTER_MS = 30_000

const NAMES: Readonly<Record<Kind, string>> = {
  ussd: msg('Create new code'),
  push: msg('Send again'),
  page: msg('Start again'),
}

type Props = { payment: PaymentStatus; instructions: StoredInstructions | null }

/** While a payment is pending only a phone prompt can be repeated; anything else must have ended. */
export function PayAgain({ payment, instructions }: Props) {
  const kind = kindOf(payment.channel)
  const isOver = payment.status === 'failed' || payment.status === 'expired'
  if (!isOver && !(kind === 'push' && payment.status === 'pending')) return null
  // Only the browser that started the payment knows the phone number.
  if (kind === 'push' && !instructions?.phone) return null
  return (
    <Button
      payment={payment}
      phone={instructions?.phone ?? null}
      at={isOver ? 0 : (instructions?.at ?? 0)}
      isNext={isOver}
    />
  )
}

/** `isNext`: whether it is the next step, and not one of several. */
type ButtonProps = { payment: PaymentStatus; phone: string | null; at: number; isNext: boolean }

function Button({ payment: { amountMinor, channel }, phone, at, isNext }: ButtonProps) {
  const wait = useSecondsUntil(at + REPEAT_AFTER_MS).value
  const { value } = session
  const { run, busy, failure } = useAction(async () => {
    if (value.state !== 'in' || wait > 0) return
    const started = await startTopup(value.me.orgId, {
      amountMinor,
      channel,
      ...(phone !== null && { phone }),
    })
    goToPayment(started, { phone })
  })
  const refused = failure.value
  return (
    <>
      {refused && <ErrorNotice failure={refused} retry={isRetryable(refused) ? run : undefined} />}
      <button
        type="button"
        class={isNext ? 'primary' : ''}
        aria-disabled={busy.value || wait > 0}
        onClick={() => void run()}
      >
        {t(NAMES[kindOf(channel)])}
        {wait > 0 && (
          <bdi dir="ltr" class="wait">
            {clockText(wait)}
          </bdi>
        )}
      </button>
    </>
  )
}
