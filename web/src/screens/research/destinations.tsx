// Where the report is also saved: a project or a conversation. Loaded on request.
import { type Signal, useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Select } from '../../ui/input/select.tsx'

export type Destination = { readonly projectId?: string; readonly conversationId?: string }

const PROJECTS_READ = 200
const THREADS_READ = 50

/** From the link that led here. */
export function initialDestination(): Destination {
  const { query } = appLocation.peek()
  const [projectId, conversationId] = [query.get('project'), query.get('thread')]
  return { ...(projectId && { projectId }), ...(conversationId && { conversationId }) }
}

export function Destinations({ chosen }: { chosen: Signal<Destination> }) {
  const isOpen = useSignal(Object.keys(chosen.peek()).length > 0)
  return (
    <details
      class="destinations"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>{t('Save the report to')}</summary>
      {isOpen.value && <Choices chosen={chosen} />}
    </details>
  )
}

function Choices({ chosen }: { chosen: Signal<Destination> }) {
  const projects = useResource('research.projects', () => api.projects.list({ limit: PROJECTS_READ }))
  const threads = useResource('research.threads', () => api.chat.threads.list({ limit: THREADS_READ }))
  const [known, talks] = [projects.current.value, threads.current.value]
  const { projectId = '', conversationId = '' } = chosen.value
  const choose = (next: { projectId: string; conversationId: string }) => {
    chosen.value = {
      ...(next.projectId && { projectId: next.projectId }),
      ...(next.conversationId && { conversationId: next.conversationId }),
    }
  }
  if (known.state === 'failed') return <ErrorNotice failure={known.failure} retry={projects.load} />
  if (talks.state === 'failed') return <ErrorNotice failure={talks.failure} retry={threads.load} />
  if (known.state === 'loading' || talks.state === 'loading')
    return <span class="blank destinations-place" aria-busy="true" />
  return (
    <div class="destination-fields">
      <Select
        name="project"
        label={t('Project')}
        value={projectId}
        options={[
          ['', t('None: everyone in the organisation sees the run')],
          ...known.value.projects
            .filter(({ access }) => access === 'editor')
            .map(({ id, name }) => [id, name] as const),
        ]}
        onChoose={(id) => choose({ projectId: id, conversationId })}
      />
      <Select
        name="thread"
        label={t('Post to a chat')}
        value={conversationId}
        options={[
          ['', t('No chat')],
          ...talks.value.threads.map(({ id, title }) => [id, title || t('Untitled chat')] as const),
        ]}
        onChoose={(id) => choose({ projectId, conversationId: id })}
      />
    </div>
  )
}
