// The research of a project, the newest first.
import type { ResearchSummary } from '@cowrie/sdk'
import { api } from '../api.ts'
import { Paged } from '../app/paged.tsx'
import { usePages } from '../app/pages.ts'
import { t } from '../i18n/t.ts'
import type { Currency } from '../money.ts'
import { RunRow } from '../research/run-row.tsx'

const PAGE = 20

export function ProjectRuns({ projectId, currency }: { projectId: string; currency: Currency }) {
  const runs = usePages<ResearchSummary, 'runs'>('runs', `project.runs.${projectId}`, (cursor) =>
    api.research.list({ projectId, limit: PAGE, ...cursor }),
  )
  return (
    <Paged pages={runs} empty={t('None yet.')} more={t('Older runs')}>
      {(run) => <RunRow run={run} currency={currency} />}
    </Paged>
  )
}
