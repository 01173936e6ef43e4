// The three steps of a payment: request, payer, wallet.

import { msg, t } from '../../../i18n/t.ts'
import { clockText, useSecondsUntil } from '../../../ui/base/countdown.tsx'
import { Step, type StepState, Steps } from '../../../ui/layout/steps.tsx'
import { type Kind, kindOf, type PaymentStatus, type Status } from '../top-up/top-up-types.ts'
import type { StoredInstructions } from './stored-instructions.ts'

const BEGUN: Readonly<Record<Kind, string>> = {
  ussd: msg('Code created'),
  push: msg('Prompt sent'),
  page: msg('Payment prepared'),
}
const AWAITED: Readonly<Record<Kind, string>> = {
  ussd: msg('Waiting for your bank'),
  push: msg('Waiting for your phone'),
  page: msg('Waiting for the payment provider'),
}
const PAYING: Readonly<Record<Status, readonly [paid: StepState, credited: StepState]>> = {
  pending: ['now', 'next'],
  settled: ['done', 'done'],
  failed: ['failed', 'skipped'],
  expired: ['failed', 'skipped'],
  review: ['done', 'now'],
}

export function PaymentSteps({
  payment,
  instructions,
}: {
  payment: PaymentStatus
  instructions: StoredInstructions | null
}) {
  const { status, channel } = payment
  const kind = kindOf(channel)
  const [paid, credited] = PAYING[status]
  const until = status === 'pending' ? endOf(payment, instructions) : null
  return (
    <Steps label={t('Payment progress')}>
      <Step state="done" title={t(BEGUN[kind])} />
      <Step
        state={paid}
        title={paid === 'now' ? t(AWAITED[kind]) : paid === 'failed' ? t('Not paid') : t('You paid')}
        {...(until !== null && { after: <Left until={until} /> })}
      />
      <Step state={credited} title={status === 'review' ? t('Payment under review') : t('Wallet credited')} />
    </Steps>
  )
}

/** Counts from the local start time, so that a wrong local clock does no harm. */
function endOf(
  { createdAt, expiresAt }: PaymentStatus,
  instructions: StoredInstructions | null,
): number | null {
  const end = expiresAt ?? instructions?.expiresAt
  if (end === undefined) return null
  if (instructions && createdAt) return instructions.at + Date.parse(end) - Date.parse(createdAt)
  return Date.parse(end)
}

function Left({ until }: { until: number }) {
  const left = useSecondsUntil(until).value
  return (
    <bdi dir="ltr" role="timer" data-testid="time-left">
      {left >= 3_600
        ? `${Math.floor(left / 3_600)}:${clockText(left % 3_600).padStart(5, '0')}`
        : clockText(left)}
    </bdi>
  )
}
