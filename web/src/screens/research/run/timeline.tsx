// The steps of a run, newest last.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t, tn } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Amount } from '../../../ui/base/amount.tsx'
import { Step, type StepState, Steps } from '../../../ui/layout/steps.tsx'
import { PHASES, PURPOSES, reasonOf, SOURCE_STATES, stateOf } from '../run-texts.ts'
import type { Frame, RunState } from './run-state.ts'
import type { RunStream } from './use-run-stream.ts'

type Props = {
  story: RunState
  following: RunStream
  currency: Currency
  onSource: (n: number) => void
}

const STICK_PX = 120

export function Timeline({ story, following, currency, onSource }: Props) {
  const { frames, run } = story
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // Scrolling up stops the automatic scrolling.
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight
  }, [frames.length])
  const isOver = run.finishedAt !== null
  const isReplaying = isOver && ['joining', 'live'].includes(following.link.value)
  return (
    <section
      ref={box}
      class="timeline"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
      tabIndex={0}
      aria-label={t('Events of the run')}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < STICK_PX
      }}
    >
      {frames.length === 0 && isReplaying && <span class="blank timeline-place" aria-busy="true" />}
      {frames.length === 0 && !isOver && <p class="help">{t(PHASES[story.phase])}</p>}
      {frames.length > 0 && (
        <Steps label={t('Steps of the run')}>
          {frames.map((frame, at) => (
            <Row
              key={frame.seq}
              frame={frame}
              isNow={!isOver && at === frames.length - 1}
              currency={currency}
              onSource={onSource}
            />
          ))}
        </Steps>
      )}
    </section>
  )
}

type RowProps = { frame: Frame; isNow: boolean; currency: Currency; onSource: (n: number) => void }

function Row({ frame, isNow, currency, onSource }: RowProps) {
  const { state, title, after, more } = eventText(frame, currency, onSource)
  return (
    <Step
      state={isNow && state === 'done' ? 'now' : state}
      title={
        <span class={`told ${frame.kind}`} data-seq={frame.seq} data-kind={frame.kind}>
          {title}
        </span>
      }
      after={after}
    >
      {more}
    </Step>
  )
}

type EventText = {
  state: StepState
  title: ComponentChildren
  after?: ComponentChildren
  more?: ComponentChildren
}

function eventText(frame: Frame, currency: Currency, onSource: (n: number) => void): EventText {
  switch (frame.kind) {
    case 'phase': {
      const { phase, pass = 1 } = frame
      return {
        state: 'done',
        title: pass > 1 ? t('{phase}, round {n}', { phase: t(PHASES[phase]), n: pass }) : t(PHASES[phase]),
      }
    }
    case 'plan':
      return {
        state: 'done',
        title: tn(frame.subquestions.length, 'Plan: {n} question', 'Plan: {n} questions'),
        more: (
          <ol class="subquestions">
            {frame.subquestions.map((question) => (
              <li key={question} dir="auto">
                {question}
              </li>
            ))}
          </ol>
        ),
      }
    case 'needs':
      return {
        state: 'now',
        title: frame.needs === 'answer' ? t('Waiting for your answer') : t('Waiting for your approval'),
        more: frame.questions.map((question) => (
          <p key={question} dir="auto">
            {question}
          </p>
        )),
      }
    case 'resumed':
      return {
        state: 'done',
        title: t('Continued'),
        more: frame.answer !== null && <p dir="auto">{frame.answer}</p>,
      }
    case 'search':
      return {
        state: frame.trouble === null ? 'done' : 'failed',
        title: <Trans text="Search “{query}”" query={<bdi>{frame.query}</bdi>} />,
        after: tn(frame.hits, '{n} hit', '{n} hits'),
        more: frame.trouble !== null && <p class="help">{t('No answer.')}</p>,
      }
    case 'source':
      return {
        state: frame.status === 'read' ? 'done' : frame.status,
        title: (
          <>
            {t(SOURCE_STATES[frame.status])} <Ref n={frame.n} onSource={onSource} /> <bdi>{frame.title}</bdi>
          </>
        ),
        more: frame.status !== 'read' && <p class="help">{reasonOf(frame.reason)}</p>,
      }
    case 'finding':
      return {
        state: 'done',
        title: (
          <>
            <bdi>{frame.claim}</bdi>{' '}
            {frame.sources.map((n) => (
              <Ref key={n} n={n} onSource={onSource} />
            ))}
          </>
        ),
      }
    case 'turn':
      return {
        state: 'done',
        title: t(PURPOSES[frame.purpose]),
        after: <Amount minor={frame.costMinor} currency={currency} />,
        more: (
          <p class="help">
            {t('{amount} so far', { amount: formatMoney(frame.spentMinor, currency) })} ·{' '}
            {tn(frame.tokens, '{n} token', '{n} tokens')} · <bdi dir="ltr">{frame.model}</bdi>
          </p>
        ),
      }
    case 'warning':
      return {
        state: 'skipped',
        title: <span class="chip warn">{t('Note')}</span>,
        more: <p>{frame.message}</p>,
      }
    case 'report':
      return {
        state: 'done',
        title: tn(frame.files.length, 'Report saved as {n} file', 'Report saved as {n} files'),
      }
    case 'done':
      return {
        state: frame.status === 'failed' ? 'failed' : 'done',
        title: stateOf(frame.run)[1],
        after: <Amount minor={frame.spentMinor} currency={currency} />,
      }
  }
}

const Ref = ({ n, onSource }: { n: number; onSource: (n: number) => void }) => (
  <button type="button" class="plain ref" aria-label={t('Source {n}', { n })} onClick={() => onSource(n)}>
    <bdi dir="ltr">[{n}]</bdi>
  </button>
)
