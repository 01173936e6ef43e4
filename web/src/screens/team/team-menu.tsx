// Renames the team, and leaves it.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import type { Pages } from '../../data/paged-resource.ts'
import { type Me, reloadAfterSwitch, reloadSession } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/input/dialog-button.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { lastOwnerText, type Member, mayManage } from './member.ts'
import { MenuAction } from './menu-action.tsx'

export function TeamMenu({ me, members }: { me: Me; members: Pages<Member> }) {
  const open = useSignal<'rename' | 'leave' | null>(null)
  const close = () => {
    open.value = null
  }
  const { value } = members.current
  const owners = value.state === 'ready' ? value.value.filter(({ role }) => role === 'owner').length : 0
  const isLastOwner = me.role === 'owner' && owners < 2 && !members.hasMore.value
  return (
    <>
      <Menu label={t('Team actions')}>
        {mayManage(me) && (
          <button type="button" onClick={() => (open.value = 'rename')}>
            {t('Rename team')}
          </button>
        )}
        <MenuAction
          label={t('Leave team')}
          disabledReason={isLastOwner ? lastOwnerText() : null}
          isGrave
          onChoose={() => (open.value = 'leave')}
        />
      </Menu>
      {open.value === 'rename' && (
        <Dialog
          label={t('Save')}
          question={t('Rename team')}
          fields={['name']}
          onClose={close}
          act={async (form) => {
            await api.teams.rename(me.orgId, { name: textOf(form, 'name').trim() })
            await reloadSession()
            announce(t('The name is saved.'))
          }}
        >
          {(failure) => (
            <Field
              name="name"
              label={t('Team name')}
              help={t('Shown on invoices without a company name.')}
              failure={failure}
              value={me.orgName}
              required
              dir="auto"
              autocomplete="off"
              maxLength={100}
            />
          )}
        </Dialog>
      )}
      {open.value === 'leave' && (
        <Dialog
          label={t('Leave team')}
          question={t('Leave {team}?', { team: me.orgName })}
          look="grave"
          onClose={close}
          act={() => leave(me)}
        >
          <p>
            {t('Your team sessions and keys stop working. Only an owner or administrator can add you again.')}
          </p>
        </Dialog>
      )}
    </>
  )
}

/** A session needs an organisation, so it switches first, and back if leaving fails. */
async function leave({ orgId, orgName }: Me): Promise<void> {
  const { orgs } = await api.me.orgs()
  const other = orgs.find((org) => org.orgId !== orgId && !org.ssoRequired)
  if (other) await api.me.switchOrg({ orgId: other.orgId })
  try {
    await api.teams.leave(orgId)
  } catch (error) {
    // If switching back fails too, the page reloads the session.
    if (other) await api.me.switchOrg({ orgId }).catch(reloadAfterSwitch)
    throw error
  }
  await reloadAfterSwitch()
  announce(t('You have left {team}.', { team: orgName }))
}
