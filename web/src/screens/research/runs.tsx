// Earlier runs, newest first, and the running ones when the limit is reached.
import type { ResearchConfig, ResearchSummary } from '@cowrie/sdk'
import { useEffect } from 'preact/hooks'
import type { Pages } from '../../data/paged-resource.ts'
import { isSaving } from '../../data/preferences/data-saver.ts'
import type { Currency } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { RunRow } from './run-row.tsx'

const POLL_MS = 10_000
const POLL_SAVING_MS = 30_000

export function Runs({ pages, currency }: { pages: Pages<ResearchSummary>; currency: Currency }) {
  const { value } = pages.current
  const isGoing = value.state === 'ready' && value.value.some(({ finishedAt }) => finishedAt === null)
  useEffect(() => {
    if (!isGoing) return
    const timer = setInterval(
      () => void (document.hidden || pages.load()),
      isSaving.value ? POLL_SAVING_MS : POLL_MS,
    )
    return () => clearInterval(timer)
  }, [isGoing, isSaving.value])
  return (
    <Section title={t('Your research')}>
      <PagedList
        pages={pages}
        empty={
          <EmptyState
            picture="document"
            title={t('No reports yet')}
            text={t('Your reports appear here with their sources and cost.')}
          />
        }
        more={t('Older runs')}
      >
        {(run) => <RunRow run={run} currency={currency} />}
      </PagedList>
    </Section>
  )
}

type InFlightProps = { config: ResearchConfig; runs: readonly ResearchSummary[] }

/** Some running ones may be missing: they belong to projects that the user cannot see. */
export const InFlight = ({ config, runs }: InFlightProps) => (
  <section class="notice-box" role="status" aria-label={t('Active runs')}>
    <h2>{tn(config.inFlightMax, 'Your {n} run is active', 'All {n} of your runs are active')}</h2>
    <p>{t('Another can start when one of these ends. Your question is saved.')}</p>
    <ul>
      {runs.map(({ id, question }) => (
        <li key={id}>
          <a href={`/app/research/${id}`} dir="auto">
            {question}
          </a>
        </li>
      ))}
    </ul>
  </section>
)
