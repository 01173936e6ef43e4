// Actions on a member: role, cap, resend invitation, ownership and removal.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { problem } from '../../data/failure.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { plainAmount } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/input/dialog-button.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { disabledReasons, type Member, readCap } from './member.ts'
import { CapField, RoleField } from './member-fields.tsx'
import { MenuAction } from './menu-action.tsx'

type Props = { me: Me; member: Member; owners: number; onNews: () => Promise<void> }

export function MemberActions({ me, member, owners, onNews }: Props) {
  const { userId, email, role, pending, seatCapMinor } = member
  const { orgId, currency } = me
  const open = useSignal<'change' | 'promote' | 'remove' | null>(null)
  const disabledReason = disabledReasons(me, member, owners)
  const close = () => {
    open.value = null
  }
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
      <Menu label={t('Actions for {email}', { email })}>
        <MenuAction
          label={t('Change role and cap')}
          disabledReason={disabledReason.change}
          onChoose={() => (open.value = 'change')}
        />
        {pending && (
          <button type="button" aria-disabled={again.busy.value} onClick={() => void again.run()}>
            {t('Resend invitation')}
          </button>
        )}
        {role !== 'owner' && (
          <MenuAction
            label={t('Make owner')}
            disabledReason={disabledReason.promote}
            onChoose={() => (open.value = 'promote')}
          />
        )}
        {userId !== me.userId && (
          <MenuAction
            label={t('Remove')}
            isGrave
            disabledReason={disabledReason.remove}
            onChoose={() => (open.value = 'remove')}
          />
        )}
      </Menu>
      {open.value === 'change' && (
        <Dialog
          label={t('Save')}
          question={t('Change {email}', { email })}
          fields={['new-role', 'cap', 'capNaira']}
          onClose={close}
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
        </Dialog>
      )}
      {open.value === 'promote' && (
        <Dialog
          label={t('Make owner')}
          question={t('Make {email} an owner?', { email })}
          onClose={close}
          act={async () => {
            await api.teams.transfer(orgId, { userId })
            await done(t('{email} is now an owner.', { email }))
          }}
        >
          <p>{t('An owner manages the plan, the cards and all members, and can change your role.')}</p>
        </Dialog>
      )}
      {open.value === 'remove' && (
        <Dialog
          label={t('Remove')}
          question={t('Remove {email}?', { email })}
          look="grave"
          onClose={close}
          act={async () => {
            await api.teams.members.remove(orgId, userId)
            await done(t('{email} was removed.', { email }))
          }}
        >
          <p>{t('Their team sessions and keys stop working immediately, and the seat becomes free.')}</p>
        </Dialog>
      )}
    </>
  )
}
