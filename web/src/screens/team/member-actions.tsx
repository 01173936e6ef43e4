// Actions on a member: role, cap, resend invitation, ownership and removal.
import { api } from '../../data/api.ts'
import { problem } from '../../data/failure.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { plainAmount } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { disabledReasons, type Member, readCap } from './member.ts'
import { CapField, RoleField } from './member-fields.tsx'

type Props = { me: Me; member: Member; owners: number; onNews: () => Promise<void> }

export function MemberActions({ me, member, owners, onNews }: Props) {
  const { userId, email, role, pending, seatCapMinor } = member
  const { orgId, currency } = me
  const disabledReason = disabledReasons(me, member, owners)
  const isSelf = userId === me.userId
  const done = async (words: string) => {
    await onNews()
    announce(words)
  }
  const again = useAction(async () => {
    await api.teams.members.invite(orgId, userId)
    announce(t('Invitation sent again to {email}.', { email }))
  })

  async function change(form: FormData): Promise<void> {
    const wanted = textOf(form, 'new-role')
    const read = readCap(textOf(form, 'cap'), currency)
    if ('error' in read) throw problem(read.error, { path: 'cap' })
    await api.teams.members.change(orgId, userId, {
      ...((wanted === 'admin' || wanted === 'member') && wanted !== role && { role: wanted }),
      ...(disabledReason.cap === null && { capNaira: read.cap }),
    })
    await done(t('{email} was updated.', { email }))
  }

  return (
    <>
      {again.failure.value && <ErrorNotice failure={again.failure.value} />}
      <div class="choices member-actions">
        <DialogButton
          label={t('Change')}
          name={email}
          submit={t('Save')}
          question={t('Change {email}', { email })}
          disabledReason={disabledReason.change}
          fields={['new-role', 'cap', 'capNaira']}
          act={change}
        >
          {(failure) => (
            <>
              <RoleField name="new-role" now={role} isLastOwner={role === 'owner' && owners < 2} />
              <CapField
                name="cap"
                currency={currency}
                failure={failure}
                value={seatCapMinor === null ? '' : plainAmount(seatCapMinor, currency)}
                disabledReason={disabledReason.cap}
              />
            </>
          )}
        </DialogButton>
        {pending && (
          <button
            type="button"
            aria-label={t('Resend invitation to {email}', { email })}
            aria-disabled={again.busy.value}
            onClick={() => void again.run()}
          >
            {again.busy.value ? t('Sending …') : t('Resend invitation')}
          </button>
        )}
        {role !== 'owner' && (
          <DialogButton
            label={t('Make owner')}
            name={email}
            question={t('Make {email} an owner?', { email })}
            disabledReason={disabledReason.promote}
            act={async () => {
              await api.teams.transfer(orgId, { userId })
              await done(t('{email} is now an owner.', { email }))
            }}
          >
            <p>{t('An owner manages the plan, the cards and all members, and can change your role.')}</p>
          </DialogButton>
        )}
        {!isSelf && (
          <DialogButton
            label={t('Remove')}
            name={email}
            look="grave"
            question={t('Remove {email}?', { email })}
            disabledReason={disabledReason.remove}
            act={async () => {
              await api.teams.members.remove(orgId, userId)
              await done(t('{email} was removed.', { email }))
            }}
          >
            <p>{t('Their team sessions and keys stop working immediately, and the seat becomes free.')}</p>
          </DialogButton>
        )}
      </div>
    </>
  )
}
