// The members of a project, besides those who see every project.
import type { Member, ProjectDetail, ProjectMember } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { Select } from '../../ui/input/select.tsx'
import { ACCESS, EDITORS_ONLY, isAccess } from './project-rules.ts'

type Props = { project: ProjectDetail; me: Me; onChange: () => Promise<void> }

const MEMBERS_READ = 200

export function Members({ project, me, onChange }: Props) {
  const { members, access } = project
  const disabledReason = access === 'editor' ? null : t(EDITORS_ONLY)
  return (
    <Section title={t('Members')}>
      <p>{t('Owners and administrators can see and edit every project.')}</p>
      {members.length === 0 && <p class="help">{t('No other members yet.')}</p>}
      <ul class="rows">
        {members.map((member) => (
          <li key={member.userId}>
            <Row project={project} member={member} disabledReason={disabledReason} onChange={onChange} />
          </li>
        ))}
      </ul>
      {me.orgType === 'individual' ? (
        <p class="help">
          {t('Create a team to share projects.')} <a href="/app/team">{t('Create a team')}</a>
        </p>
      ) : (
        <Share project={project} me={me} disabledReason={disabledReason} onChange={onChange} />
      )}
    </Section>
  )
}

type RowProps = {
  project: ProjectDetail
  member: ProjectMember
  disabledReason: string | null
  onChange: () => Promise<void>
}

function Row({ project, member, disabledReason, onChange }: RowProps) {
  const { userId, email, name, access } = member
  const change = useAction(async (next: string) => {
    if (!isAccess(next)) return
    await api.projects.members.put(project.id, userId, { access: next })
    announce(t('Saved.'))
    await onChange()
  })
  return (
    <div class="row">
      <div>
        <p class="row-name" dir="auto">
          {name ?? email}
        </p>
        {name !== null && <p class="help">{email}</p>}
        {change.failure.value && <ErrorNotice failure={change.failure.value} />}
      </div>
      <select
        class="access"
        aria-label={t('Access of {name}', { name: name ?? email })}
        value={access}
        disabled={disabledReason !== null || change.busy.value}
        onChange={(event) => void change.run(event.currentTarget.value)}
      >
        <option value="viewer">{t(ACCESS.viewer)}</option>
        <option value="editor">{t(ACCESS.editor)}</option>
      </select>
      <DialogButton
        label={t('Remove')}
        name={name ?? email}
        question={t('Remove {name} from the project?', { name: name ?? email })}
        disabledReason={disabledReason}
        look="grave"
        act={async () => {
          await api.projects.members.remove(project.id, userId)
          await onChange()
        }}
      >
        <p>{t('They lose access to the project, its files and its research.')}</p>
      </DialogButton>
    </div>
  )
}

type ShareProps = {
  project: ProjectDetail
  me: Me
  disabledReason: string | null
  onChange: () => Promise<void>
}

function Share({ project, me, disabledReason, onChange }: ShareProps) {
  return (
    <div class="choices">
      <DialogButton
        label={t('Share with a member')}
        submit={t('Share')}
        question={t('Share with a member')}
        fields={['member', 'access']}
        disabledReason={disabledReason}
        look="primary"
        act={async (form) => {
          const access = textOf(form, 'access')
          if (!isAccess(access)) return
          await api.projects.members.put(project.id, textOf(form, 'member'), { access })
          announce(t('Shared.'))
          await onChange()
        }}
      >
        <Choice project={project} me={me} />
      </DialogButton>
    </div>
  )
}

/** Loaded when the user wants to share. */
function Choice({ project, me }: { project: ProjectDetail; me: Me }) {
  const team = useResource('project.team', () => api.teams.members.list(me.orgId, { limit: MEMBERS_READ }))
  const current = team.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={team.load} />
  if (current.state === 'loading') return <span class="blank share-place" aria-busy="true" />
  const others = current.value.members.filter((each) => isOutside(each, project))
  if (others.length === 0) return <p>{t('Everyone in your team already has access.')}</p>
  return (
    <>
      <Select
        name="member"
        label={t('Member')}
        options={others.map(({ userId, name, email }) => [userId, name ? `${name} · ${email}` : email])}
      />
      <Select
        name="access"
        label={t('Access')}
        options={[
          ['viewer', t('View: see the project, its files and its research')],
          ['editor', t('Edit: also start research, rename, share and delete')],
        ]}
      />
    </>
  )
}

const isOutside = ({ userId, role }: Member, { members }: ProjectDetail): boolean =>
  role === 'member' && !members.some((each) => each.userId === userId)
