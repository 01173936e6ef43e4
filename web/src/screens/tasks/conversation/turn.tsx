// One turn: its prompt, its steps while it runs, and its result. A finished turn is one line that opens.
import type { Task, TaskTurn } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Currency } from '../../../i18n/money.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { lazy } from '../lazy.tsx'
import { firstLine, StateMark, turnState } from '../task-texts.tsx'
import type { LogItem, TurnLog } from './task-log.ts'
import { ToolLine } from './tool-line.tsx'
import { isShown, PHASES, runText, STOPS } from './turn-texts.ts'

const Needs = lazy(async () => (await import('../workspace/actions.ts')).Needs)
const Verification = lazy(async () => (await import('../workspace/actions.ts')).Verification)
const WORKING = msg('Working')
/** A longer prompt may be cut in its line. */
const LINE_CHARACTERS = 40

type Props = {
  task: Task
  turn: TaskTurn
  log: TurnLog | undefined
  isLast: boolean
  currency: Currency
  onChange: () => void
  /** Reads the steps of earlier turns. */
  onHistory: () => void
  isHistoryLoading: boolean
  /** Opens the changes. */
  onShowChanges: () => void
  children?: ComponentChildren
}

export function Turn(props: Props) {
  return props.turn.status === 'finished' ? <FinishedTurn {...props} /> : <OpenTurn {...props} />
}

function OpenTurn({ task, turn, log, onChange, onShowChanges }: Props) {
  const files = log?.changes.size ?? 0
  return (
    <article class="turn open" aria-label={t('Turn {n}', { n: turn.ordinal })}>
      <Prompt turn={turn} />
      <Steps taskId={task.id} items={log?.items ?? []} isRunning />
      {task.needs.length === 0 && (
        <p class="turn-phase" role="status">
          {t(PHASES[log?.phase ?? ''] ?? PHASES[turn.status] ?? WORKING)}
        </p>
      )}
      {files > 0 && <FilesButton files={files} onShow={onShowChanges} />}
      {task.needs.length > 0 && <Needs task={task} log={log} onChange={onChange} />}
    </article>
  )
}

function FinishedTurn({ task, turn, log, isLast, currency, ...props }: Props) {
  const isOpen = useSignal(isLast)
  useEffect(() => {
    isOpen.value = isLast
  }, [isLast])
  const { stopReason, summary, verification, withheld } = turn
  return (
    <article class="turn" aria-label={t('Turn {n}', { n: turn.ordinal })}>
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary class="turn-line">
          <StateMark state={turnState(turn)} withWord={false} />
          <span class="turn-what" dir="auto">
            {isOpen.value ? firstLine(turn.prompt) : firstLine(summary ?? turn.prompt)}
          </span>
          <TurnFacts turn={turn} currency={currency} />
        </summary>
        {isOpen.value && (
          <div class="turn-body">
            {!isOneLine(turn) && <Prompt turn={turn} />}
            <StepFold taskId={task.id} turn={turn} log={log} {...props} />
            {summary && <Markdown text={summary} />}
            {stopReason && stopReason !== 'completed' && <p class="turn-stop">{t(STOPS[stopReason])}</p>}
            {turn.refundedMinor > 0n && (
              <p class="help">
                {t('Refunded:')} <Amount minor={turn.refundedMinor} currency={currency} />
              </p>
            )}
            {isShown(verification) && <Verification found={verification} />}
            {withheld.length > 0 && <Withheld places={withheld} />}
            <div class="turn-actions">
              {turn.changedFiles > 0 && (
                <FilesButton files={turn.changedFiles} onShow={props.onShowChanges} />
              )}
              {props.children}
            </div>
          </div>
        )}
      </details>
    </article>
  )
}

/** Its line shows the whole prompt already. */
const isOneLine = ({ prompt, attachments }: TaskTurn): boolean =>
  attachments.length === 0 && prompt.length <= LINE_CHARACTERS && !prompt.trim().includes('\n')

const TurnFacts = ({ turn, currency }: { turn: TaskTurn; currency: Currency }) => (
  <span class="turn-facts">
    {turn.changedFiles > 0 && <span>{tn(turn.changedFiles, '{n} file', '{n} files')}</span>}
    {isShown(turn.verification) && turn.verification.after && <span>{runText(turn.verification.after)}</span>}
    <Amount minor={turn.spentMinor} currency={currency} testId="turn-cost" />
  </span>
)

const Prompt = ({ turn: { prompt, attachments } }: { turn: TaskTurn }) => (
  <div class="prompt">
    <h3 class="unseen">{t('You asked')}</h3>
    <p dir="auto">{prompt}</p>
    {attachments.length > 0 && (
      <p class="help">
        <bdi>{attachments.map(({ name }) => name).join(', ')}</bdi>
      </p>
    )}
  </div>
)

type FoldProps = Pick<Props, 'turn' | 'log' | 'onHistory' | 'isHistoryLoading'> & { taskId: string }

function StepFold({ taskId, turn, log, onHistory, isHistoryLoading }: FoldProps) {
  const isOpen = useSignal(false)
  // The last words are the summary, which is shown below.
  const items = log?.items.filter((item) => item.kind !== 'text' || item.text.trim() !== turn.summary?.trim())
  const count = items?.length ?? 0
  return (
    <details
      class="steps-fold"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
        if (isOpen.value && !log) onHistory()
      }}
    >
      <summary>{count > 0 ? tn(count, '{n} step', '{n} steps') : t('Steps')}</summary>
      {isOpen.value && <Steps taskId={taskId} items={items ?? []} />}
      {isOpen.value && isHistoryLoading && <p class="help">{t('Loading …')}</p>}
    </details>
  )
}

function Steps({
  taskId,
  items,
  isRunning = false,
}: {
  taskId: string
  items: readonly LogItem[]
  isRunning?: boolean
}) {
  return (
    <div class="steps">
      {items.map((item, at) =>
        item.kind === 'tool' ? (
          <ToolLine key={item.callId} taskId={taskId} item={item} />
        ) : item.kind === 'note' ? (
          <p key={item.seq} class="help">
            {t(PHASES[item.note] ?? item.note)}
          </p>
        ) : item.isReasoning ? (
          <details key={`r${item.step}`} class="reasoning">
            <summary>{t('Reasoning')}</summary>
            <Markdown text={item.text} />
          </details>
        ) : (
          <Markdown
            key={`t${item.step}`}
            text={item.text}
            isStreaming={isRunning && at === items.length - 1}
          />
        ),
      )}
    </div>
  )
}

const FilesButton = ({ files, onShow }: { files: number; onShow: () => void }) => (
  <button type="button" class="files-button" onClick={onShow}>
    {tn(files, 'Show {n} changed file', 'Show {n} changed files')}
  </button>
)

const Withheld = ({ places }: { places: TaskTurn['withheld'] }) => (
  <details class="fold">
    <summary>
      {tn(places.length, '{n} secret was hidden from the model', '{n} secrets were hidden from the model')}
    </summary>
    <ul>
      {places.map(({ path, line }) => (
        <li key={`${path} ${line}`}>
          <bdi dir="ltr">{line === undefined ? path : `${path}:${line}`}</bdi>
        </li>
      ))}
    </ul>
  </details>
)
