// The team: members, caps, spending and invitations.
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, reloadSession, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { OwnCap } from '../../ui/charts/own-cap.tsx'
import { CreateTeam } from './create-team.tsx'
import { Invite } from './invite.tsx'
import { mayManage } from './member.ts'
import { Members } from './members.tsx'
import { SeatOffer } from './seat-offer.tsx'
import { TeamMenu } from './team-menu.tsx'

export default function Team() {
  const { value } = session
  if (value.state !== 'in') return null
  const { me } = value
  // An individual organisation has no members to show.
  if (me.orgPolicy.tier !== 'individual') return <Open key={me.orgId} me={me} />
  return (
    <Page title={t('Team')}>
      <CreateTeam />
    </Page>
  )
}

function Open({ me }: { me: Me }) {
  const { orgId } = me
  const isManager = mayManage(me)
  const members = usePages('members', 'team.members', async (cursor) => {
    const page = await api.teams.members.list(orgId, { limit: 50, ...cursor })
    return { ...page, members: page.members.map((member) => ({ ...member, id: member.userId })) }
  })
  const usage = useResource(`team.usage ${isManager}`, async () =>
    isManager ? api.teams.usage(orgId, { limit: 100 }) : null,
  )
  const summary = useResource('billing.summary', () => api.billing.summary())
  const { value } = summary.current
  const known = value.state === 'ready' ? value.value : null
  const isFull = known !== null && known.seats.occupied >= known.seats.total

  async function refresh(): Promise<void> {
    await Promise.all([members.load(), usage.load(), summary.load(), reloadSession()])
  }

  return (
    <Page
      title={t('Team')}
      note={
        <>
          <bdi>{me.orgName}</bdi>
          {known && (
            <>
              {' '}
              ·{' '}
              {t('{occupied} of {total} seats taken', {
                occupied: known.seats.occupied,
                total: known.seats.total,
              })}
            </>
          )}
        </>
      }
      action={isManager && <Invite me={me} isFull={isFull} onNews={refresh} />}
      menu={me.orgType === 'team' && <TeamMenu me={me} members={members} />}
    >
      <OwnCap me={me} />
      {isManager && known && isFull && (
        <SeatOffer
          me={me}
          summary={known}
          onBought={async (words) => {
            await refresh()
            announce(words)
          }}
          onNews={refresh}
        />
      )}
      <Members me={me} pages={members} usage={usage} onNews={refresh} />
      {me.orgType !== 'team' && <CreateTeam />}
    </Page>
  )
}
