// One project: name, research, files and members.
import type { ProjectDetail } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { Files } from './files.tsx'
import { Members } from './members.tsx'
import { ACCESS, EDITORS_ONLY, NAME_MAX } from './project-rules.ts'
import { ProjectRuns } from './runs.tsx'

export default function Project({ id }: { id: string }) {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} id={id} me={value.me} /> : null
}

function Open({ id, me }: { id: string; me: Me }) {
  const project = useResource(`project.${id}`, () => api.projects.read(id))
  const current = project.current.value
  if (current.state === 'ready') return <ProjectView from={project} project={current.value} me={me} />
  return (
    <Page title={t('Project')}>
      {current.state === 'failed' ? (
        <>
          <ErrorNotice
            failure={current.failure}
            retry={current.failure.status === 404 ? undefined : project.load}
          />
          <p>
            <a href="/app/projects">{t('All projects')}</a>
          </p>
        </>
      ) : (
        <span class="blank project-place" aria-busy="true" />
      )}
    </Page>
  )
}

type Props = { from: Resource<ProjectDetail>; project: ProjectDetail; me: Me }

function ProjectView({ from, project, me }: Props) {
  const { id, name, access, createdAt } = project
  const disabledReason = access === 'editor' ? null : t(EDITORS_ONLY)
  return (
    <Page
      title={<span dir="auto">{name}</span>}
      note={
        <>
          {t(ACCESS[access])} · {t('Created {day}', { day: formatDate(createdAt) })}
        </>
      }
      action={
        <>
          {disabledReason === null && (
            <a class="button primary" href={`/app/research?project=${id}`}>
              {t('New research')}
            </a>
          )}
          <DialogButton
            label={t('Rename')}
            question={t('Rename project')}
            fields={['name']}
            disabledReason={disabledReason}
            act={async (form) => {
              await api.projects.rename(id, { name: textOf(form, 'name').trim() })
              await from.load()
            }}
          >
            {(failure) => (
              <Field
                name="name"
                label={t('Name')}
                value={name}
                failure={failure}
                required
                maxLength={NAME_MAX}
                dir="auto"
                autocomplete="off"
              />
            )}
          </DialogButton>
        </>
      }
    >
      <Section title={t('Research')}>
        <ProjectRuns projectId={id} currency={me.currency} />
      </Section>
      <Files project={project} me={me} onChange={from.load} />
      <Members project={project} me={me} onChange={from.load} />
    </Page>
  )
}
