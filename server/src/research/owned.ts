import type { Owned } from '../platform/owned.ts'
import { byTime, byTimeAndSize } from '../platform/owned-readers.ts'
import {
  findingsAfter,
  type Part,
  pagesAfter,
  partName,
  type Run,
  runsAfter,
  sourcesAfter,
} from './owned-sql.ts'

const placeOf = ({ createdAt, id }: Run) => [createdAt, id] as const
const partOf = (part: Part) => [part.runCreatedAt, partName(part)] as const

export const researchOwned: Owned = {
  exports: {
    researchRuns: byTime(runsAfter, placeOf),
    researchSources: byTime(sourcesAfter, partOf),
    researchFindings: byTime(findingsAfter, partOf),
    // Beside the sources and not inside them: the pages of a run can be longer than memory.
    researchPages: byTimeAndSize(pagesAfter, partOf),
  },
  tables: ['research_runs', 'research_sources', 'research_findings', 'research_pages'],
  withheld: {
    research_steps: 'how far a run has come; what came of its steps is in the lists of sources and findings',
  },
}
