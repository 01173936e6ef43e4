// Research: a new run, and earlier runs.
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Sheet } from '../../ui/base/sheet.tsx'
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
    <Sheet title={t('Research')} wide>
      <p class="lead">{t('Ask a complex question. The report cites the web pages it is based on.')}</p>
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
    </Sheet>
  )
}

const isUnderWay = ({ finishedAt }: { finishedAt: string | null }): boolean => finishedAt === null
