// Sources as reports list them: those of which it is decided what became of them.
import type { ResearchSource } from './sources-sql.ts'
import type { ReportSource } from './types.ts'

export const toReportSources = (sources: readonly ResearchSource[]): ReportSource[] =>
  sources.flatMap(({ n, url, title, status, reason, sha256, fetchedAt }) =>
    status === 'queued' ? [] : [{ n, url, title, status, reason, sha256, fetchedAt }],
  )
