// The sources of a run: status, reason and findings.
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { formatDate } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { reasonOf, SOURCE_STATES, siteOf } from '../run-texts.ts'
import { splitAroundQuote } from './find-quote.ts'
import { type Finding, quotesOf, type RunState, type Source } from './run-state.ts'

type Filter = 'all' | Source['status']
const FILTERS: readonly Filter[] = ['all', 'read', 'failed', 'skipped']
const KINDS: Readonly<Record<Source['status'], string>> = { read: 'ok', failed: 'bad', skipped: '' }

type Props = {
  story: RunState
  /** The sentence that cited the source, if any. */
  sentence: string
  isWide: boolean
}

export function Sources({ story, sentence, isWide }: Props) {
  const filter = useSignal<Filter>('all')
  const { sources, findings, run } = story
  const count = (of: Filter) => sources.filter(({ status }) => of === 'all' || status === of).length
  const shown = sources.filter(({ status }) => filter.value === 'all' || status === filter.value)
  return (
    <div class="sources">
      <fieldset class="source-kinds">
        <legend class="unseen">{t('Filter sources')}</legend>
        {FILTERS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={filter.value === each}
            onClick={() => {
              filter.value = each
            }}
          >
            {each === 'all' ? t('All') : t(SOURCE_STATES[each])} <bdi dir="ltr">{count(each)}</bdi>
          </button>
        ))}
      </fieldset>
      {sources.length === 0 && (
        <p class="help">
          {run.finishedAt === null ? t('Pages appear here as they are found.') : t('No pages found.')}
        </p>
      )}
      <ul
        class={isWide ? 'source-grid boxed' : 'source-grid'}
        aria-label={t('Sources')}
        {...(isWide && { tabIndex: 0 })}
      >
        {shown.map((source) => (
          <Card
            key={source.n}
            runId={run.id}
            source={source}
            quotes={quotesOf(findings, source.n, sentence)}
          />
        ))}
      </ul>
    </div>
  )
}

type CardProps = { runId: string; source: Source; quotes: readonly Finding[] }

function Card({ runId, source, quotes }: CardProps) {
  const isOpen = useSignal(false)
  const { n, url, title, status, reason } = source
  const link = /^https?:\/\//.test(url) ? url : null
  return (
    <li id={`source-${n}`} class="source-card" tabIndex={-1} aria-label={t('Source {n}', { n })}>
      <p class="source-line">
        <bdi dir="ltr" class="source-number">
          [{n}]
        </bdi>
        <span class="row-name" dir="auto">
          {title || siteOf(url)}
        </span>
        <span class={`chip ${KINDS[status]}`}>{t(SOURCE_STATES[status])}</span>
      </p>
      <p class="help">
        {link ? (
          <a href={link} target="_blank" rel="noopener noreferrer nofollow">
            <bdi dir="ltr">{siteOf(url)}</bdi>
          </a>
        ) : (
          <bdi dir="ltr">{siteOf(url)}</bdi>
        )}
        {status !== 'read' && ` · ${reasonOf(reason)}`}
      </p>
      {quotes.map(({ id, quote }, at) => (
        <blockquote key={id} class={at === 0 ? 'quote first' : 'quote'} dir="auto">
          {quote}
        </blockquote>
      ))}
      {status === 'read' && (
        <details
          onToggle={(event) => {
            isOpen.value = event.currentTarget.open
          }}
        >
          <summary>{t('The text as it was read')}</summary>
          {isOpen.value && <Text runId={runId} n={n} quotes={quotes} />}
        </details>
      )}
    </li>
  )
}

/** The text that was read, so that quotes can be checked. */
function Text({ runId, n, quotes }: { runId: string; n: number; quotes: readonly Finding[] }) {
  const source = useResource(`research.source.${runId}.${n}`, () => api.research.source(runId, String(n)))
  const current = source.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={source.load} />
  if (current.state === 'loading') return <span class="blank source-text-place" aria-busy="true" />
  const { text, fetchedAt, isCut } = current.value
  return (
    <>
      <p class="help">
        {fetchedAt && t('Read on {day}.', { day: formatDate(fetchedAt) })}{' '}
        {isCut && t('Only the beginning was saved.')}
      </p>
      <section
        class="source-text"
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
        tabIndex={0}
        aria-label={t('Text of source {n}', { n })}
      >
        {splitAroundQuote(text, quotes[0]?.quote ?? '').map((piece) =>
          piece.isQuote ? <mark key="quote">{piece.text}</mark> : piece.text,
        )}
      </section>
    </>
  )
}
