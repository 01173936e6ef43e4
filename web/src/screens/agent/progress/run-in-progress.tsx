// The active run: current step, cost against the quote, and a stop button.
import { useEffect } from 'preact/hooks'
import { isOnline } from '../../../data/network.ts'
import type { Me } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Step, Steps } from '../../../ui/layout/steps.tsx'
import { Cost } from '../result/cost.tsx'
import { type ActiveRun, closeRun, requestOutcome, stopRun } from './active-run.ts'
import { remainingSteps } from './progress.ts'
import { Timeline } from './timeline.tsx'

export function RunInProgress({ job, me }: { job: ActiveRun; me: Me }) {
  const { order, progress, state, failure, ceilingMinor } = job
  const words = stateText(job)
  const isLoop = order.kind === 'loop'
  useEffect(() => announce(words), [words])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') stopRun()
    }
    // Closing the page ends a loop after its current step, so ask first.
    const close = (event: BeforeUnloadEvent) => {
      if (isLoop && state === 'working') event.preventDefault()
    }
    addEventListener('keydown', press)
    addEventListener('beforeunload', close)
    return () => {
      removeEventListener('keydown', press)
      removeEventListener('beforeunload', close)
    }
  }, [isLoop, state])
  return (
    <div class="under-way">
      <p class="asked" dir="auto">
        {order.body.prompt}
      </p>
      {failure ? (
        <ErrorNotice failure={failure} retry={requestOutcome}>
          <p>
            <button type="button" onClick={closeRun}>
              {t('Later')}
            </button>
          </p>
        </ErrorNotice>
      ) : (
        <p class="state-words">{words}</p>
      )}
      <Cost spentMinor={progress.spentMinor} ceilingMinor={ceilingMinor} currency={me.currency} />
      {isLoop && state === 'working' && (
        <div class="choices">
          <button type="button" class="grave" aria-keyshortcuts="Escape" onClick={stopRun}>
            {t('Stop')}
          </button>
        </div>
      )}
      {isLoop ? (
        <Timeline
          steps={progress.steps}
          ahead={failure ? [] : remainingSteps(progress, order.body.sandbox !== 'none')}
          written={progress.written}
          currency={me.currency}
        />
      ) : (
        <Steps label={t('Steps')}>
          <Step state={failure ? 'failed' : 'now'} title={t('Writing the answer')} />
        </Steps>
      )}
    </div>
  )
}

function stateText({ state, order }: ActiveRun): string {
  if (state === 'stopping') return t('Stopping after this step. The work so far is kept.')
  if (state === 'elsewhere') return t('This run is active in another tab.')
  if (state === 'checking')
    return isOnline.value
      ? t('Checking the result. You never pay twice.')
      : t('You are offline. We check the run when you are back online.')
  return order.kind === 'loop'
    ? t('Running. You can open other screens. Closing this page stops the run after its step.')
    : t('Running. You can leave; find the result under Past runs.')
}
