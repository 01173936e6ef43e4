// The projects of the organisation.
import type { Project } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { Section, Sheet } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
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
    <Sheet title={t('Projects')} wide>
      <p class="lead">{t('A project keeps reports and files together for its members.')}</p>
      <Section title={t('Your projects')}>
        <PagedList
          pages={projects}
          empty={t('None yet. Create your first one below.')}
          more={t('Older projects')}
        >
          {(project) => <Row project={project} />}
        </PagedList>
      </Section>
      <Section title={t('New project')}>
        <NewProject />
      </Section>
    </Sheet>
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

function NewProject() {
  const action = useAction(async (form: FormData) => {
    const { id } = await api.projects.create({ name: textOf(form, 'name').trim() })
    navigate(`/app/projects/${id}`)
  })
  return (
    <Form action={action} submit={t('Create project')} busy={t('Creating …')} fields={['name']} back="name">
      <Field
        name="name"
        label={t('Name')}
        help={t('Only its members, owners and administrators can see it.')}
        failure={action.failure.value}
        required
        maxLength={NAME_MAX}
        dir="auto"
        autocomplete="off"
      />
    </Form>
  )
}
