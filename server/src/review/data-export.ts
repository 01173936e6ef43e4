import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import { type ExportRow, findingsAfter, installationsAfter, runsAfter } from './data-export-sql.ts'
import { deleteOrgInstallations } from './installations/installations-sql.ts'

const cursorOf = ({ createdAt, id }: ExportRow): [Date, string] => [createdAt, id]

export const reviewTenantData: TenantData = {
  exports: {
    installations: byTime(installationsAfter, cursorOf),
    reviewRuns: byTime(runsAfter, cursorOf),
    reviewFindings: byTime(findingsAfter, cursorOf),
  },
  tables: ['vcs_installations', 'review_runs', 'review_findings'],
  withheld: {
    review_corpus:
      'how often the same statement was confirmed or refuted; every verdict is in the list of findings',
    vcs_pulls: 'which commit of a pull request was the last that we heard of; GitHub has them all',
    vcs_heads: 'which commits have been reviewed; each of the reviews is in its own list',
  },
  // Its installations can be claimed by somebody else from then on, and what comes from GitHub about them is nobody's.
  close: (_app, tx, { orgId }) => deleteOrgInstallations(tx, orgId),
  erase: (app, orgId) => app.db.tx(orgId, (tx) => deleteOrgInstallations(tx, orgId)),
}
