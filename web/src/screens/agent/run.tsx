// One past run: from memory if it has just ended here, else from the service.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, ownerOf, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Sheet } from '../../ui/base/sheet.tsx'
import { Result } from './result/result.tsx'
import { latestRun, type RunView, viewOfHistory } from './result/run-view.ts'

export default function Run({ id }: { id: string }) {
  const current = session.value
  if (current.state !== 'in') return null
  const owner = ownerOf(current)
  const fresh = latestRun.value
  const props = { me: current.me, owner }
  return (
    <Sheet key={owner} title={t('Agent run')} wide>
      <p class="onward">
        <a href="/app/agent">{t('New run')}</a> · <a href="/app/agent/runs">{t('Past runs')}</a>
      </p>
      {fresh?.view.id === id && fresh.owner === owner ? (
        <Loaded view={fresh.view} {...props} />
      ) : (
        <Read id={id} {...props} />
      )}
    </Sheet>
  )
}

function Read({ id, me, owner }: { id: string; me: Me; owner: string }) {
  const run = useResource(`agent run ${id}`, () => api.agent.runs.get(id))
  const current = run.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={run.load} />
  if (current.state === 'loading') return <span class="blank run-place" aria-busy="true" />
  return (
    <>
      <Loaded view={viewOfHistory(current.value)} me={me} owner={owner} />
      {current.value.status === 'running' && (
        <div class="choices">
          <button type="button" onClick={() => void run.load()}>
            {t('Check again')}
          </button>
        </div>
      )}
    </>
  )
}

const Loaded = (props: { view: RunView; me: Me; owner: string }) => (
  <>
    <p class="asked" dir="auto">
      {props.view.prompt}
    </p>
    <Result {...props} />
  </>
)
