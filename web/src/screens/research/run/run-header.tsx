// The header of a run: status, cost against limit, duration, and a stop button.
import type { ProjectDetail } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { isOnline } from '../../../data/network.ts'
import { useResource } from '../../../data/resource.ts'
import type { Me } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Amount } from '../../../ui/base/amount.tsx'
import { clockText } from '../../../ui/base/countdown.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Weave } from '../../../ui/layout/weave.tsx'
import { DEPTHS, endingOf, stateOf } from '../run-texts.ts'
import type { RunState } from './run-state.ts'

type Props = { story: RunState; me: Me; onChange: () => Promise<void> }

export function RunHeader({ story, me, onChange }: Props) {
  const { run, spentMinor, sources } = story
  const { currency } = me
  const isOver = run.finishedAt !== null
  const isWanted = useSignal(false)
  const project = useProject(run.projectId)
  const closed = project && project.access !== 'editor' ? t('Only editors of its project can do this.') : null
  const cancel = useAction(async () => {
    try {
      await api.research.cancel(run.id)
    } finally {
      isWanted.value = false
      await onChange()
    }
  })
  const isStopping = !isOver && (isWanted.value || run.status === 'cancelled')
  const [kind, word] = isStopping ? ['warn', t('Stopping')] : stateOf(run)
  const ending = endingOf(
    isStopping ? { ...run, status: 'cancelled' } : run,
    sources.filter(({ status }) => status === 'read').length,
  )
  return (
    <div class="run-head">
      <p class="run-facts">
        <span class={`chip ${kind}`} data-testid="run-state">
          {word}
        </span>
        <span>
          <Trans
            text="{cost} of {limit}"
            cost={<Amount minor={spentMinor} currency={currency} testId="run-cost" class="row-name" />}
            limit={<Amount minor={run.budgetMinor} currency={currency} testId="run-limit" />}
          />
        </span>
        <Elapsed key={story.frames.length} lastedMs={story.lastedMs} isOver={isOver} />
        <span class="help">
          {t(DEPTHS[run.depth])} · {formatDateTime(run.createdAt)}
        </span>
      </p>
      <Weave of={run.budgetMinor > 0n ? Number(spentMinor) / Number(run.budgetMinor) : 0} />
      <p class="run-ending" data-testid="run-ending">
        {ending}{' '}
        {run.refundedMinor > 0n && (
          <Trans
            text="The full cost of {amount} was refunded to your wallet."
            amount={<Amount minor={run.refundedMinor} currency={currency} testId="refunded" />}
          />
        )}
      </p>
      {cancel.failure.value && cancel.failure.value.code !== 'research_finished' && (
        <ErrorNotice failure={cancel.failure.value} retry={cancel.run} />
      )}
      {!isOver && (
        <div class="choices">
          <DialogButton
            label={t('Cancel run')}
            question={t('Cancel this run?')}
            disabledReason={closed ?? disabledReasonFor(isStopping)}
            look="grave"
            act={async () => {
              isWanted.value = true
              void cancel.run()
            }}
          >
            <p>{t('The current step finishes and is charged. No report is written.')}</p>
          </DialogButton>
        </div>
      )}
    </div>
  )
}

/** The project of the run, as far as it is known; null for none. */
export function useProject(id: string | null): Pick<ProjectDetail, 'name' | 'access'> | null {
  const read = useResource(`research.project.${id}`, async () => id && api.projects.read(id))
  const { value } = read.current
  return value.state === 'ready' && value.value ? value.value : null
}

function disabledReasonFor(isStopping: boolean): string | null {
  if (isStopping) return t('Cancelling …')
  return isOnline.value ? null : t('You are offline.')
}

/** Uses the clock of the service up to the last event and the local clock after it, so a wrong local clock does no harm. */
function Elapsed({ lastedMs, isOver }: { lastedMs: number; isOver: boolean }) {
  const since = useSignal(0)
  useEffect(() => {
    if (isOver) return
    const heardAt = performance.now()
    const timer = setInterval(() => {
      since.value = performance.now() - heardAt
    }, 1_000)
    return () => clearInterval(timer)
  }, [isOver])
  const seconds = Math.floor((lastedMs + (isOver ? 0 : since.value)) / 1_000)
  return (
    <span>
      <span class="unseen">{t('Time taken')} </span>
      <bdi dir="ltr">{clockText(seconds)}</bdi>
    </span>
  )
}
