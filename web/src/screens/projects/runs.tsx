// The research of a project, newest first.
import type { ResearchSummary } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { RunRow } from '../research/run-row.tsx'

const PAGE = 20

export function ProjectRuns({ projectId, currency }: { projectId: string; currency: Currency }) {
  const runs = usePages<ResearchSummary, 'runs'>('runs', `project.runs.${projectId}`, (cursor) =>
    api.research.list({ projectId, limit: PAGE, ...cursor }),
  )
  return (
    <PagedList pages={runs} empty={t('None yet.')} more={t('Older runs')}>
      {(run) => <RunRow run={run} currency={currency} />}
    </PagedList>
  )
}
