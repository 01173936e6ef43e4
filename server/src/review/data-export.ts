// The data of an organisation that reviews hold: exported on request, deleted when it closes.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import { deleteOrgInstallations } from './installations/installations-sql.ts'

type ExportRow = { id: string; createdAt: Date }

function listInstallationsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportRow>`
    select id, external_id as "installationId", account_login as "account", account_type as "accountType", status, permissions,
           events, repository_selection as "repositorySelection", blocking_policy as "blockingPolicy",
           inline_comments as "inlineComments", validation_enabled as "validationEnabled",
           thread_replies as "threadReplies", forge, repo as repository, claimed_by as "claimedBy",
           created_at as "createdAt", updated_at as "updatedAt", removed_at as "removedAt"
    from vcs_installations where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

function listRunsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<ExportRow>`
    select id, installation_id as "installationId", repo, pr, head_sha as "headSha", title, is_fork as "isFork", status, conclusion,
           policy, degraded, reason, published_as as "publishedAs", files, lines, not_reviewed as "notReviewed", notes, counts,
           cost_minor as "costMinor", turns, validation, created_at as "createdAt", finished_at as "finishedAt"
    from review_runs where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

function listFindingsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<ExportRow>`
    select id, run_id as "runId", repo, pr, head_sha as "headSha", path, line, start_line as "startLine", end_line as "endLine",
           rule_id as "ruleId", title, cwe, severity, confidence, message, fix, snippet, flow, fingerprint, status,
           suggestion, adjudicated_login as "adjudicatedLogin", adjudicated_by as "adjudicatedBy", adjudicated_user as "adjudicatedUser", note, evidence,
           credited_minor as "creditedMinor", created_at as "createdAt", adjudicated_at as "adjudicatedAt"
    from review_findings where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

const cursorOf = ({ createdAt, id }: ExportRow): [Date, string] => [createdAt, id]

export const reviewTenantData: TenantData<App> = {
  exports: {
    installations: byTime(listInstallationsAfter, cursorOf),
    reviewRuns: byTime(listRunsAfter, cursorOf),
    reviewFindings: byTime(listFindingsAfter, cursorOf),
  },
  tables: ['vcs_installations', 'review_runs', 'review_findings'],
  withheld: {
    review_corpus: 'counts of confirmed and refuted verdicts; the findings include every verdict',
    vcs_pulls: 'the last known commit of each pull request; GitHub has the same data',
    vcs_heads: 'the commits that were reviewed; the reviews are exported separately',
  },
  // Afterwards another organisation can claim the installations. Until then their webhook events are ignored.
  close: (_app, tx, { orgId }) => deleteOrgInstallations(tx, orgId),
  erase: (app, orgId) => app.db.tx(orgId, (tx) => deleteOrgInstallations(tx, orgId)),
}
