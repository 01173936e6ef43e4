// The organisations of the user: the marked one pays for everything on this page.
import type { MeOrgsReply } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { reloadAfterSwitch, session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { orgNameFor, ROLES } from '../../shared/org-texts.ts'

export default function OrgMenu() {
  const from = useResource('me.orgs', () => api.me.orgs())
  const current = from.current.value
  return (
    <>
      <p class="small-title">{t('Paying organisation')}</p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <span class="blank control" aria-busy="true" />}
      {current.state === 'ready' && current.value.orgs.map((org) => <Choice key={org.orgId} org={org} />)}
      <hr />
      <a href="/app/organisations">{t('All organisations')}</a>
      <a href="/app/team">{t('Manage the team')}</a>
    </>
  )
}

function Choice({ org: { orgId, name: stored, role } }: { org: MeOrgsReply['orgs'][number] }) {
  const { value } = session
  const me = value.state === 'in' ? value.me : null
  const name = orgNameFor(me, stored)
  const { run, failure } = useAction(async () => {
    if (me?.orgId === orgId) return
    await api.me.switchOrg({ orgId })
    await reloadAfterSwitch()
    announce(t('You are now in {name}.', { name }))
    // Leaves and so closes the menu.
    document.getElementById('screen-title')?.focus()
  })
  return (
    <>
      <button
        type="button"
        class="org-choice"
        aria-pressed={me?.orgId === orgId}
        onClick={(event) => {
          // A refused switch is shown in the open menu.
          event.stopPropagation()
          void run()
        }}
      >
        <bdi>{name}</bdi> <span class="help">{t(ROLES[role] ?? role)}</span>
      </button>
      {failure.value && <ErrorNotice failure={failure.value} />}
    </>
  )
}
