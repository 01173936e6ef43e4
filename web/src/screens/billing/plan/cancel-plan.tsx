// Cancels a plan, undoes a cancellation, and undoes a change scheduled for the end of the period.
import type { BillingSummary, Plan, Subscription, SubscriptionCancelBody } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { isOnline } from '../../../data/network.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import type { Me } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDate } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'

type Reason = NonNullable<SubscriptionCancelBody['reason']>
const REASONS: Readonly<Record<Reason, string>> = {
  too_expensive: msg('It costs too much'),
  not_used: msg("I don't use it enough"),
  missing_something: msg('Something is missing'),
  went_elsewhere: msg('I use something else'),
  other: msg('Another reason'),
}

type Props = { subscription: Subscription; plan: Plan; onNews: () => Promise<void>; onClose: () => void }

/** Whether a plan can be cancelled: it has not been, and no other change is scheduled. */
export const canCancel = ({ subscription, plan }: BillingSummary): boolean =>
  subscription !== null && plan !== null && !canUndo(subscription)

const canUndo = ({ status, cancelAtPeriodEnd, scheduledChange }: Subscription): boolean =>
  status === 'active' && (cancelAtPeriodEnd || scheduledChange !== null)

export function CancelPlan({ subscription, plan, onNews, onClose }: Props) {
  const endsAt = formatDate(subscription.currentPeriodEnd)
  const isPaid = subscription.status === 'active' && plan.amountMinor > 0n
  return (
    <Dialog
      label={t('Cancel plan')}
      question={t('Cancel {plan}?', { plan: plan.name })}
      look="grave"
      onClose={onClose}
      act={async (form) => {
        const reason = textOf(form, 'reason')
        await api.subscription.cancel(isReason(reason) ? { reason } : {})
        await onNews()
        announce(t('The plan is cancelled.'))
      }}
    >
      <p>
        {isPaid
          ? t(
              'You keep {plan} until {date}. After that you pay for usage from your wallet. Your balance stays yours.',
              { plan: plan.name, date: endsAt },
            )
          : t('{plan} ends now, because it is not paid. Your balance stays yours.', {
              plan: plan.name,
            })}
      </p>
      <Select
        name="reason"
        label={t('Why? (optional)')}
        options={[['', t('I would rather not say')], ...reasons()]}
      />
    </Dialog>
  )
}

const reasons = () => Object.entries(REASONS).map(([key, words]) => [key, t(words)] as const)
const isReason = (value: string): value is Reason => Object.hasOwn(REASONS, value)

type UndoProps = { subscription: Subscription; me: Me; onNews: () => Promise<void> }

/** Changing to the current plan undoes a scheduled change. Nothing is charged, so there is no confirmation. */
export function UndoChange({ subscription, me, onNews }: UndoProps) {
  const { planCode, interval, cancelAtPeriodEnd } = subscription
  const { run, busy, failure } = useAction(async () => {
    await sendPaidRequest('subscription.clear', [me.orgId, planCode, interval].join(' '), (once) =>
      api.subscription.change({ planCode, interval }, once),
    )
    await onNews()
    announce(t('Your plan continues unchanged.'))
  })
  if (!canUndo(subscription) || me.role !== 'owner') return null
  return (
    <>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button
          type="button"
          disabled={!isOnline.value}
          aria-disabled={busy.value}
          onClick={() => void run()}
        >
          {busy.value ? t('Please wait …') : cancelAtPeriodEnd ? t('Resume plan') : t('Undo the change')}
        </button>
        {!isOnline.value && <span class="help">{t('You are offline.')}</span>}
      </div>
    </>
  )
}
