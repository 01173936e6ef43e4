// Leaves the team and switches to another organisation of the user.
import { api } from '../../data/api.ts'
import type { Pages } from '../../data/paged-resource.ts'
import { type Me, reloadAfterSwitch } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { lastOwnerText, type Member } from './member.ts'

export function LeaveTeam({ me, members }: { me: Me; members: Pages<Member> }) {
  const { value } = members.current
  const owners = value.state === 'ready' ? value.value.filter(({ role }) => role === 'owner').length : 0
  const isLastOwner = me.role === 'owner' && owners < 2 && !members.hasMore.value
  return (
    <Section title={t('Leave')}>
      <div class="choices">
        <DialogButton
          label={t('Leave team')}
          look="grave"
          question={t('Leave {team}?', { team: me.orgName })}
          disabledReason={isLastOwner ? lastOwnerText() : null}
          act={() => leave(me)}
        >
          <p>
            {t('Your team sessions and keys stop working. Only an owner or administrator can add you again.')}
          </p>
        </DialogButton>
      </div>
    </Section>
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
