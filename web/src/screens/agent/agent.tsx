// The agent screen: the composer or the active run, and undecided runs of earlier visits.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Me, ownerOf, session } from '../../data/session.ts'
import { deleteRow } from '../../data/storage/browser-store.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { Sheet } from '../../ui/base/sheet.tsx'
import { Composer, DRAFT } from './composer/composer.tsx'
import {
  activeRun,
  closeRun,
  forgetRun,
  isRunning,
  isUnknown,
  resumeRuns,
  type UndecidedRun,
} from './progress/active-run.ts'
import { RunInProgress } from './progress/run-in-progress.tsx'
import { latestRun } from './result/run-view.ts'

export default function Agent() {
  const current = session.value
  if (current.state !== 'in') return null
  return <Workspace key={current.me.orgId} me={current.me} owner={ownerOf(current)} />
}

function Workspace({ me, owner }: { me: Me; owner: string }) {
  const known = activeRun.value?.owner === owner ? activeRun.value : null
  const left = useSignal<UndecidedRun[]>([])
  useEffect(() => {
    void resumeRuns(owner).then((old) => {
      left.value = old
    })
  }, [owner])
  const ended = known?.state === 'done' ? known.view : null
  useEffect(() => {
    if (!ended) return
    latestRun.value = { owner, view: ended }
    void deleteRow(owner, 'draft', DRAFT)
    navigate(`/app/agent/runs/${ended.id}`)
    closeRun()
  }, [ended])
  const isOpen = isRunning(known) || (known?.failure && isUnknown(known.failure, known.mayHaveBegun))
  return (
    <Sheet title={t('Agent')} wide>
      <p class="onward">
        <a href="/app/agent/runs">{t('Past runs')}</a>
      </p>
      {left.value.map((each) => (
        <Undecided
          key={each.key}
          left={each}
          onForget={() => {
            void forgetRun(owner, each.key)
            left.value = left.value.filter(({ key }) => key !== each.key)
          }}
        />
      ))}
      {known && isOpen ? (
        <RunInProgress job={known} me={me} />
      ) : (
        <Composer owner={owner} me={me} failure={known?.failure ?? null} />
      )}
    </Sheet>
  )
}

/** A run whose result never arrived. It is not sent again: the service could start it only now. */
const Undecided = ({ left, onForget }: { left: UndecidedRun; onForget: () => void }) => (
  <div class="once">
    <p>
      {t('The result of a run from {time} did not arrive. If it started, find it under Past runs.', {
        time: formatDateTime(new Date(left.askedAt).toISOString()),
      })}
    </p>
    <p class="asked" dir="auto">
      {left.order.body.prompt}
    </p>
    <div class="choices">
      <a class="button" href={left.id ? `/app/agent/runs/${left.id}` : '/app/agent/runs'}>
        {left.id ? t('Open run') : t('Past runs')}
      </a>
      <button type="button" onClick={onForget}>
        {t('Dismiss')}
      </button>
    </div>
  </div>
)
