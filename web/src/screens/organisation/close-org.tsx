// Closes the organisation. It first lists what is lost, with amounts.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, reloadAfterSwitch } from '../../data/session.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'

export function CloseOrg({ me }: { me: Me }) {
  const wallet = useResource('wallet', () => api.wallet.get())
  const subscription = useResource('subscription', () => api.subscription.get())
  const isOwner = me.role === 'owner'
  const held = wallet.current.value
  const running = subscription.current.value
  const balance = held.state === 'ready' ? held.value.balanceMinor : null
  const plan = running.state === 'ready' ? livePlan(running.value.subscription) : null
  const isKnown = balance !== null && running.state === 'ready'

  const disabledReason = !isOwner
    ? t('Only an owner can do this.')
    : me.orgSuspended
      ? t('The organisation is suspended. That must be resolved first.')
      : isKnown
        ? null
        : t('Loading …')

  async function close() {
    await api.orgs.close(me.orgId, {
      confirm: me.orgName,
      ...(balance !== null && balance > 0n && { forfeitMinor: balance }),
      ...(plan !== null && { forfeitPlan: plan }),
    })
    await reloadAfterSwitch()
    navigate('/app', { replace: true })
    announce(t('The organisation is closed.'))
  }

  return (
    <Section title={t('Close this organisation')}>
      <p>{t('Permanent: access ends and content is deleted.')}</p>
      <div class="choices">
        <DialogButton
          label={t('Close organisation')}
          question={t('Close {name} permanently?', { name: me.orgName })}
          look="grave"
          typed={me.orgName}
          disabledReason={disabledReason}
          act={close}
        >
          <ul class="consequences">
            <li>{t('All members, keys and sessions are removed immediately.')}</li>
            <li>{t('Chats, runs, reports, files and the code index are deleted.')}</li>
            <li>{t('The ledger, invoices and audit log are kept, as the law requires.')}</li>
            <li>{t('This cannot be undone. Download all data first.')}</li>
          </ul>
          {balance !== null && balance > 0n && (
            <label class="tick">
              <input type="checkbox" required name="forfeit" />
              <span>
                {t('I lose the {amount} in the wallet.', { amount: formatMoney(balance, me.currency) })}
              </span>
            </label>
          )}
          {plan !== null && (
            <label class="tick">
              <input type="checkbox" required name="forfeitPlan" />
              <span>{t('I lose the rest of the plan “{plan}”.', { plan })}</span>
            </label>
          )}
        </DialogButton>
      </div>
    </Section>
  )
}

/** A complimentary plan costs nothing and ends with the organisation. */
const livePlan = (
  subscription: { planCode: string; status: string; comped: boolean } | null,
): string | null =>
  subscription && subscription.status === 'active' && !subscription.comped ? subscription.planCode : null
