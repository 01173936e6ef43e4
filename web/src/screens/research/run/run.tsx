// One research run: progress, sources and report.
import type { ResearchRun as Run } from '@cowrie/sdk'
import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import { type Resource, useResource } from '../../../data/resource.ts'
import { type Me, reloadSession, session } from '../../../data/session.ts'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation, navigate } from '../../../router/location.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { useMedia } from '../../../ui/layout/use-media.ts'
import { PHASES } from '../run-texts.ts'
import { FollowUps } from './follow-ups.tsx'
import { Report, useReportText } from './report.tsx'
import { RunHeader } from './run-header.tsx'
import { RunMenu } from './run-menu.tsx'
import { type RunState, runStateOf } from './run-state.ts'
import { Sources } from './sources.tsx'
import { Timeline } from './timeline.tsx'
import { type RunStream, useRunStream } from './use-run-stream.ts'
import { Waiting } from './waiting.tsx'

export default function ResearchRun({ id }: { id: string }) {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} id={id} me={value.me} /> : null
}

function Open({ id, me }: { id: string; me: Me }) {
  const run = useResource(`research.run.${id}`, () => api.research.get(id))
  const { value: current } = run.current
  if (current.state === 'ready')
    return <RunView run={run} first={current.value} asOf={current.asOf} me={me} />
  return (
    <Page title={t('Research')}>
      {current.state === 'failed' ? (
        <>
          <ErrorNotice
            failure={current.failure}
            retry={current.failure.status === 404 ? undefined : run.load}
          />
          <p>
            <a href="/app/research">{t('All research')}</a>
          </p>
        </>
      ) : (
        <span class="blank run-place" aria-busy="true" />
      )}
    </Page>
  )
}

type View = 'timeline' | 'sources' | 'report'
type RunViewProps = { run: Resource<Run>; first: Run; asOf: Date | undefined; me: Me }

function RunView({ run, first, asOf, me }: RunViewProps) {
  const { id } = first
  const isWide = useMedia('(min-width: 1200px)').value
  const view = useSignal<View>(first.report ? 'report' : 'timeline')
  // With data saver on, the timeline of a finished run is loaded on request.
  const isTold = first.finishedAt === null || !isSaving.value || isWide || view.value === 'timeline'
  const following = useRunStream(id, isTold)
  const read = useSignal(first)
  read.value = first
  const story = useComputed(() => runStateOf(read.value, following.frames.value))
  const cited = useSignal('')
  const text = useReportText(story.value.run)
  useAnnouncements(story, first)
  useReloadWhenAsked(story, run)
  useHistoryPosition(view)
  const { value } = story

  /** Opens a source, with a way back to the sentence. */
  function open(n: number, sentence: string, at: number) {
    cited.value = sentence
    const here = `/app/research/${id}`
    navigate(here, { replace: true, state: { sentence: String(at) } })
    navigate(here, { state: { source: String(n) } })
  }

  const timeline = () => (
    <Timeline story={value} following={following} currency={me.currency} onSource={(n) => open(n, '', -1)} />
  )
  const sources = () => <Sources story={value} sentence={cited.value} isWide={isWide} />
  const report = () => <Report story={value} text={text} onCite={open} />
  return (
    <Page
      title={<span dir="auto">{value.run.question}</span>}
      menu={<RunMenu run={value.run} />}
      width="work"
    >
      <div class="run-screen">
        <RunHeader story={value} me={me} onChange={run.load} />
        <ConnectionLine following={following} isTold={isTold} asOf={asOf} />
        <Waiting run={value.run} onChange={run.load} />
        {isWide ? (
          <div class="run-columns">
            <div>
              {(value.run.report || value.run.finishedAt === null) && (
                <section aria-label={t('Report')} class="report-part">
                  {report()}
                </section>
              )}
              <details class="fold steps-part" open={value.run.report === null}>
                <summary>{t('Steps of the run')}</summary>
                {timeline()}
              </details>
            </div>
            <section aria-label={t('Sources')}>
              <h2>{t('Sources')}</h2>
              {sources()}
            </section>
          </div>
        ) : (
          <Tabs
            label={t('Views of the run')}
            chosen={view as Signal<string>}
            tabs={[
              { id: 'report', name: t('Report'), view: report },
              { id: 'sources', name: t('Sources'), view: sources },
              { id: 'timeline', name: t('Steps'), view: timeline },
            ]}
          />
        )}
        <FollowUps run={value.run} me={me} />
      </div>
    </Page>
  )
}

/** Whether the shown data is current. Keeps its height while empty. */
type ConnectionLineProps = { following: RunStream; isTold: boolean; asOf: Date | undefined }

function ConnectionLine({ following, isTold, asOf }: ConnectionLineProps) {
  const { link, caughtUp, failure } = following
  if (failure.value) return <ErrorNotice failure={failure.value} />
  const words = {
    joining: caughtUp.value === null ? t('Connecting …') : t('Reconnecting …'),
    live: caughtUp.value === null ? t('Live') : t('Reconnected; {n} new events', { n: caughtUp.value }),
    lost: t('Connection lost. The run continues; reconnecting.'),
    resting: t('Paused to save data while you were away.'),
    over: '',
  }[link.value]
  return (
    <p class="help run-link">
      {isTold && words}
      {asOf && ` ${t('As of {time}.', { time: formatTime(asOf) })}`}
    </p>
  )
}

/** Announces each new phase once, and updates the balance. */
function useAnnouncements(story: { readonly value: RunState }, first: Run): void {
  const { phase, run, spentMinor } = story.value
  const isOver = run.finishedAt !== null
  const wasOver = useSignal(first.finishedAt !== null)
  useEffect(() => {
    if (wasOver.peek()) return
    if (isOver) {
      wasOver.value = true
      announce(run.report ? t('The report is ready.') : t('The run has ended.'))
    } else announce(t(PHASES[phase]))
  }, [phase, isOver])
  useEffect(() => {
    if (first.finishedAt === null) void reloadSession()
  }, [spentMinor, isOver])
}

/** The questions of the run are in its detail, not in its events. */
function useReloadWhenAsked(story: { readonly value: RunState }, run: Resource<Run>): void {
  const asked = story.value.frames.findLast(({ kind }) => kind === 'needs' || kind === 'resumed')
  const isKnown = (asked?.kind === 'needs') === (story.value.run.needs !== null)
  useEffect(() => {
    if (asked && !isKnown && story.value.run.finishedAt === null) void run.load()
  }, [asked?.seq])
}

/** Restores the position from the history: a source, or the citing sentence. */
function useHistoryPosition(view: Signal<View>): void {
  const { state: stored } = appLocation.value
  useEffect(() => {
    const jump = stored.source
      ? (['sources', `#source-${Number(stored.source)}`] as const)
      : stored.sentence && Number(stored.sentence) >= 0
        ? (['report', `[data-cite="${Number(stored.sentence)}"]`] as const)
        : null
    if (!jump) return
    view.value = jump[0]
    return focusWhenRendered(jump[1])
  }, [stored])
}

const FOCUS_FRAMES = 120

/** Moves the focus to an element as soon as it is rendered, within a time limit. */
function focusWhenRendered(selector: string): () => void {
  let frame = 0
  let left = FOCUS_FRAMES
  const look = () => {
    const found = document.querySelector<HTMLElement>(selector)
    if (found) found.focus()
    else if (--left > 0) frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}
