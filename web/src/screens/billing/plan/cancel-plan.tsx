// Cancels a plan, undoes a cancellation, and undoes a change scheduled for the end of the period.
import type { Plan, Subscription, SubscriptionCancelBody } from '@cowrie/sdk'
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
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'

type Reason = NonNullable<SubscriptionCancelBody['reason']>
const REASONS: Readonly<Record<Reason, string>> = {
  too_expensive: msg('It costs too much'),
  not_used: msg("I don't use it enough"),
  missing_something: msg('Something is missing'),
  went_elsewhere: msg('I use something else'),
  other: msg('Another reason'),
}

type Props = { subscription: Subscription; plan: Plan; me: Me; onNews: () => Promise<void> }

export function CancelPlan({ subscription, plan, me, onNews }: Props) {
  const { status, cancelAtPeriodEnd, scheduledChange } = subscription
  const disabledReason =
    me.role === 'owner'
      ? isOnline.value
        ? null
        : t('You are offline.')
      : t('Only an owner of your organisation can do this.')
  if (status === 'active' && (cancelAtPeriodEnd || scheduledChange))
    return <Undo subscription={subscription} me={me} disabledReason={disabledReason} onNews={onNews} />
  const endsAt = formatDate(subscription.currentPeriodEnd)
  const isPaid = status === 'active' && plan.amountMinor > 0n
  return (
    <div class="choices">
      <DialogButton
        label={t('Cancel plan')}
        question={t('Cancel {plan}?', { plan: plan.name })}
        look="grave"
        disabledReason={disabledReason}
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
      </DialogButton>
    </div>
  )
}

const reasons = () => Object.entries(REASONS).map(([key, words]) => [key, t(words)] as const)
const isReason = (value: string): value is Reason => Object.hasOwn(REASONS, value)

type UndoProps = Omit<Props, 'plan'> & { disabledReason: string | null }

/** Changing to the current plan undoes a scheduled change. Nothing is charged, so there is no confirmation. */
function Undo({ subscription, me, disabledReason, onNews }: UndoProps) {
  const { planCode, interval, cancelAtPeriodEnd } = subscription
  const { run, busy, failure } = useAction(async () => {
    await sendPaidRequest('subscription.clear', [me.orgId, planCode, interval].join(' '), (once) =>
      api.subscription.change({ planCode, interval }, once),
    )
    await onNews()
    announce(t('Your plan continues unchanged.'))
  })
  return (
    <>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button
          type="button"
          disabled={disabledReason !== null}
          aria-disabled={busy.value}
          aria-describedby={disabledReason === null ? undefined : 'undo-barred'}
          onClick={() => void run()}
        >
          {busy.value ? t('Please wait …') : cancelAtPeriodEnd ? t('Resume plan') : t('Undo the change')}
        </button>
        {disabledReason !== null && (
          <span id="undo-barred" class="help">
            {disabledReason}
          </span>
        )}
      </div>
    </>
  )
}
