// Research: a new run, and earlier runs.
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { NewRun } from './new-run.tsx'
import { Runs } from './runs.tsx'
import { Unavailable } from './unavailable.tsx'

const PAGE = 20

export default function Research() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const config = useResource('research.config', () => api.research.config())
  const runs = usePages('runs', 'research.runs', (cursor) => api.research.list({ limit: PAGE, ...cursor }))
  const current = config.current.value
  const listed = runs.current.value
  return (
    <Page
      title={t('Research')}
      note={t('Ask a question. You get a report that links every claim to its source.')}
    >
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={config.load} />}
      {current.state === 'loading' && <span class="blank ask-place" aria-busy="true" />}
      {current.state === 'ready' &&
        (current.value.available ? (
          <NewRun
            me={me}
            config={current.value}
            underWay={listed.state === 'ready' ? listed.value.filter(isUnderWay) : []}
            onRefused={() => void Promise.all([config.load(), runs.load()])}
          />
        ) : (
          <Unavailable config={current.value} retry={config.load} />
        ))}
      <Runs pages={runs} currency={me.currency} />
    </Page>
  )
}

const isUnderWay = ({ finishedAt }: { finishedAt: string | null }): boolean => finishedAt === null
