// Research: a long question for a known price, and the runs that were made.
import { api } from '../api.ts'
import { usePages } from '../app/pages.ts'
import { Refusal } from '../app/refusal.tsx'
import { useResource } from '../app/resource.ts'
import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'
import { type Me, session } from '../identity/session.ts'
import { Ask } from './ask.tsx'
import { Runs } from './runs.tsx'
import { Unavailable } from './unavailable.tsx'

const PAGE = 20

export default function Research() {
  const { value } = session
  // Another organisation has asked other things: nothing of the last one may stay on the screen.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const config = useResource('research.config', () => api.research.config())
  const runs = usePages('runs', 'research.runs', (cursor) => api.research.list({ limit: PAGE, ...cursor }))
  const current = config.current.value
  const listed = runs.current.value
  return (
    <Sheet title={t('Research')} wide>
      <p class="lead">
        {t('Ask a long question. Pages of the web are read, and every statement of the report is cited.')}
      </p>
      {current.state === 'failed' && <Refusal failure={current.failure} retry={config.load} />}
      {current.state === 'loading' && <span class="blank ask-place" aria-busy="true" />}
      {current.state === 'ready' &&
        (current.value.available ? (
          <Ask
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
