// The report: citations lead to sources and quotes; files can be downloaded, and the report printed.
import type { ResearchRun } from '@cowrie/sdk'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type Resource, useResource } from '../../../data/resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { saveFile } from '../../../ui/base/save-file.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { reasonOf, SOURCE_STATES, siteOf } from '../run-texts.ts'
import type { RunState } from './run-state.ts'

type File = NonNullable<ResearchRun['report']>['files'][number]
/** The number, its sentence, and its position among all citations. */
type OnCite = (n: number, sentence: string, at: number) => void

/** The text of the report, loaded once for all views; empty while there is none. */
export function useReportText({ report }: ResearchRun): Resource<string> {
  const [main] = report?.files ?? []
  return useResource(`research.report.${main?.id ?? ''}`, async () =>
    main ? new TextDecoder().decode(await api.attachments.download(main.id)) : '',
  )
}

type Props = { story: RunState; text: Resource<string>; onCite: OnCite }

export function Report({ story, text, onCite }: Props) {
  const { run } = story
  if (run.report) return <ReportText files={run.report.files} story={story} text={text} onCite={onCite} />
  return (
    <p class="help report-place">
      {run.finishedAt === null
        ? t('The report appears here. You can close this page; the run continues.')
        : t('There is no report.')}
    </p>
  )
}

function ReportText({ files, story, text, onCite }: Props & { files: readonly File[] }) {
  const current = text.current.value
  return (
    <div class="report">
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={text.load} />}
      {current.state === 'loading' && <span class="blank report-place" aria-busy="true" />}
      {current.state === 'ready' && <CitedText text={current.value} story={story} onCite={onCite} />}
      <div class="choices report-files">
        {files.map((file) => (
          <Download key={file.id} file={file} />
        ))}
      </div>
      <PrintedSources story={story} />
    </div>
  )
}

/** Omits the first line: the question is the title of the screen. */
function CitedText({ text, story, onCite }: { text: string; story: RunState; onCite: OnCite }) {
  const article = useRef<HTMLElement>(null)
  // Citations are numbered when all are rendered, so that Back finds the right one.
  useLayoutEffect(() => {
    article.current?.querySelectorAll<HTMLElement>('.cite').forEach((cite, at) => {
      cite.dataset.cite = String(at)
    })
  }, [text])
  const latest = useRef(onCite)
  latest.current = onCite
  const known = story.sources.length
  const cite = useMemo(() => {
    const numbers = new Set(story.sources.map(({ n }) => n))
    return (n: number) =>
      numbers.has(n) ? <CiteLink n={n} onCite={(...args) => latest.current(...args)} /> : `[${n}]`
  }, [story.run.id, known])
  return (
    <article ref={article} class="report-text" dir="auto">
      <Markdown text={text.replace(/^# .*\n+/, '')} cite={cite} />
    </article>
  )
}

const CiteLink = ({ n, onCite }: { n: number; onCite: OnCite }) => (
  <a
    class="cite"
    href={`#source-${n}`}
    aria-label={t('Source {n}', { n })}
    onClick={(event) => {
      event.preventDefault()
      const { currentTarget } = event
      onCite(n, sentenceOf(currentTarget), Number(currentTarget.dataset.cite ?? 0))
    }}
  >
    <bdi dir="ltr">[{n}]</bdi>
  </a>
)

const sentenceOf = (cite: HTMLElement): string => cite.closest('p, li, td, tr')?.textContent ?? ''

function Download({ file }: { file: File }) {
  const { run, busy, failure } = useAction(async () => {
    const bytes = await api.attachments.download(file.id)
    saveFile(file.name, [new Uint8Array(bytes)], file.contentType)
  })
  return (
    <>
      <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
        <Trans text="Download {file}" file={<bdi>{file.name}</bdi>} />{' '}
        <span class="help">{formatBytes(file.bytes)}</span>
      </button>
      {failure.value && <ErrorNotice failure={failure.value} />}
    </>
  )
}

/** The printed list of sources with addresses and status. */
const PrintedSources = ({ story }: { story: RunState }) => (
  <section class="printed" aria-label={t('List of sources')}>
    <h3>{t('List of sources')}</h3>
    <ul>
      {story.sources.map(({ n, url, title, status, reason }) => (
        <li key={n}>
          <bdi dir="ltr">[{n}]</bdi> <bdi>{title || siteOf(url)}</bdi> · <bdi dir="ltr">{url}</bdi> ·{' '}
          {t(SOURCE_STATES[status])}
          {status !== 'read' && `: ${reasonOf(reason)}`}
        </li>
      ))}
    </ul>
  </section>
)
