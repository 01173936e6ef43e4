import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime, byTimeAndSize } from '../platform/data-export-readers.ts'
import {
  type ExportedPart,
  type ExportedResearchRun,
  findingsAfter,
  pagesAfter,
  runsAfter,
  sourcesAfter,
  toPartId,
} from './data-export-sql.ts'

const toRunCursor = ({ createdAt, id }: ExportedResearchRun) => [createdAt, id] as const
const toPartCursor = (part: ExportedPart) => [part.runCreatedAt, toPartId(part)] as const

export const researchTenantData: TenantData<App> = {
  exports: {
    researchRuns: byTime(runsAfter, toRunCursor),
    researchSources: byTime(sourcesAfter, toPartCursor),
    researchFindings: byTime(findingsAfter, toPartCursor),
    // Separate from the sources, because the pages of a run can exceed memory.
    researchPages: byTimeAndSize(pagesAfter, toPartCursor),
  },
  tables: ['research_runs', 'research_sources', 'research_findings', 'research_pages'],
  withheld: {
    research_steps: 'progress of a run; the results of its steps are in the lists of sources and findings',
  },
}
