import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import { findingsAfter, installationsAfter, type Listed, runsAfter } from './data-export-sql.ts'
import { forgetInstallations } from './installations/installations-sql.ts'

const placeOf = ({ createdAt, id }: Listed): [Date, string] => [createdAt, id]

export const reviewOwned: TenantData = {
  exports: {
    installations: byTime(installationsAfter, placeOf),
    reviewRuns: byTime(runsAfter, placeOf),
    reviewFindings: byTime(findingsAfter, placeOf),
  },
  tables: ['vcs_installations', 'review_runs', 'review_findings'],
  withheld: {
    review_corpus:
      'how often the same statement was confirmed or refuted; every verdict is in the list of findings',
    vcs_pulls: 'which commit of a pull request was the last that we heard of; GitHub has them all',
    vcs_heads: 'which commits have been reviewed; each of the reviews is in its own list',
  },
  // Its installations can be claimed by somebody else from then on, and what comes from GitHub about them is nobody's.
  close: (_app, tx, { orgId }) => forgetInstallations(tx, orgId),
  erase: (app, orgId) => app.db.tx(orgId, (tx) => forgetInstallations(tx, orgId)),
}
