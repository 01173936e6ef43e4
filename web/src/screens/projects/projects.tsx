// The projects of the organisation.
import type { Project } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { session } from '../../data/session.ts'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ACCESS, NAME_MAX } from './project-rules.ts'

const PAGE = 50

export default function Projects() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} /> : null
}

function Open() {
  const projects = usePages('projects', 'projects', (cursor) => api.projects.list({ limit: PAGE, ...cursor }))
  return (
    <Page
      title={t('Projects')}
      note={t('A project keeps reports and files together for its members.')}
      action={<NewProject />}
    >
      <PagedList
        pages={projects}
        empty={
          <EmptyState
            picture="document"
            title={t('No projects yet')}
            text={t('Research saves its reports and sources in a project.')}
          />
        }
        more={t('Older projects')}
      >
        {(project) => <Row project={project} />}
      </PagedList>
    </Page>
  )
}

const Row = ({ project: { id, name, access, createdAt } }: { project: Project }) => (
  <div class="row">
    <div>
      <a class="row-name" href={`/app/projects/${id}`} dir="auto">
        {name}
      </a>
      <p class="help">{t('Created {day}', { day: formatDate(createdAt) })}</p>
    </div>
    <span class="chip">{t(ACCESS[access])}</span>
  </div>
)

const NewProject = () => (
  <DialogButton
    label={t('New project')}
    submit={t('Create project')}
    question={t('New project')}
    look="primary"
    fields={['name']}
    act={async (form) => {
      const { id } = await api.projects.create({ name: textOf(form, 'name').trim() })
      navigate(`/app/projects/${id}`)
    }}
  >
    {(failure) => (
      <Field
        name="name"
        label={t('Name')}
        help={t('Only its members, owners and administrators can see it.')}
        failure={failure}
        required
        maxLength={NAME_MAX}
        dir="auto"
        autocomplete="off"
      />
    )}
  </DialogButton>
)
