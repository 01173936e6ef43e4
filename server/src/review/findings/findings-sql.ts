// SQL for findings.
import type { Id, OrgId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { Suggestion } from '../publish/format-suggestion.ts'
import type { PublishedAs, ReviewRun, RunId } from '../runs/runs-sql.ts'
import type { TrackedFinding } from './tracked-finding.ts'

export type FindingId = Id<'fnd'>
export type Verdict = 'confirmed' | 'refuted' | 'unproven'
export type FindingStatus = Verdict | 'unadjudicated'
export type Severity = 'error' | 'warn' | 'note'
export type Judge = 'person' | 'model' | 'history'

export type StoredFinding = {
  id: FindingId
  fingerprint: string
  status: FindingStatus
  adjudicatedBy: Judge | null
  publishedAs: PublishedAs | null
  ruleId: string
  caseKey: string
  near: string
  within: string
}

/** All findings of a pull request, from all of its heads, newest first. */
export function findStoredFindings(
  tx: Tx,
  { orgId, repoId, pr }: Pick<ReviewRun, 'orgId' | 'repoId' | 'pr'>,
): Promise<StoredFinding[]> {
  return tx.content.rows<StoredFinding>`
    select id, fingerprint, status, adjudicated_by as "adjudicatedBy", published_as as "publishedAs",
           rule_id as "ruleId", case_key as "caseKey", near, within
    from review_findings where org_id = ${orgId} and repo_id = ${repoId} and pr = ${pr}
    order by created_at desc, id desc limit 5000`
}

export type Judgement = {
  readonly status: FindingStatus
  readonly by: Exclude<Judge, 'person'> | null
  readonly evidence: object | null
  readonly note?: string | null
}

export async function insertFinding(
  tx: Tx,
  run: ReviewRun,
  id: FindingId,
  finding: TrackedFinding,
  { status, by, evidence, note = null }: Judgement,
  shareMinor: bigint,
): Promise<void> {
  const flow = finding.flow.map(({ path, at, what }) => ({ path, line: at.line, what }))
  await tx.content.rows`
    insert into review_findings (id, org_id, run_id, repo, repo_id, pr, head_sha, path, line, start_line, end_line, rule_id, title,
                                 cwe, severity, confidence, message, fix, snippet, flow, fingerprint, case_key, near, within,
                                 status, adjudicated_by, evidence, note, share_minor, created_at, adjudicated_at,
                                 last_run_id)
    values (${id}, ${run.orgId}, ${run.id}, ${run.repo}, ${run.repoId}, ${run.pr}, ${run.headSha}, ${finding.path},
            ${finding.line}, ${finding.startLine}, ${finding.endLine}, ${finding.ruleId}, ${finding.title}, ${finding.cwe},
            ${finding.severity}, ${finding.confidence}, ${finding.message}, ${finding.fix}, ${finding.snippet},
            ${toJson(flow)}::text::json, ${finding.fingerprint}, ${finding.caseKey}, ${finding.near}, ${finding.within},
            ${status}, ${by}, ${evidence && toJson(evidence)}::text::json, ${note}, ${shareMinor}, ${tx.now},
            ${status === 'unadjudicated' ? null : tx.now}, ${run.id})`
}

/** Stores the verdict of a model or of history on an unjudged finding, with the hashes of the judged code. */
export async function setVerdict(
  tx: Tx,
  org: OrgId,
  id: FindingId,
  { near, within }: Pick<TrackedFinding, 'near' | 'within'>,
  { status, by, evidence, note = null }: Judgement,
  shareMinor: bigint,
): Promise<void> {
  await tx.content.rows`
    update review_findings
    set status = ${status}, adjudicated_by = ${by}, evidence = ${evidence && toJson(evidence)}::text::json, note = ${note},
        share_minor = share_minor + ${shareMinor}, near = ${near}, within = ${within}, adjudicated_at = ${tx.now}
    where org_id = ${org} and id = ${id} and status = 'unadjudicated'`
}

/** Removes a verdict whose code has changed. Verdicts of people stay. */
export async function reopenFinding(tx: Tx, org: OrgId, id: FindingId): Promise<boolean> {
  const rows = await tx.content.rows`
    update review_findings
    set status = 'unadjudicated', adjudicated_by = null, evidence = null, note = null, adjudicated_at = null
    where org_id = ${org} and id = ${id} and adjudicated_by in ('model', 'history') returning id`
  return rows.length === 1
}

/** Moves a finding to its location in the newest head that has it. */
export async function updateFindingLocation(
  tx: Tx,
  run: ReviewRun,
  id: FindingId,
  finding: TrackedFinding,
): Promise<void> {
  await tx.content.rows`
    update review_findings
    set head_sha = ${run.headSha}, path = ${finding.path}, line = ${finding.line}, start_line = ${finding.startLine},
        end_line = ${finding.endLine}, snippet = ${finding.snippet}, near = ${finding.near}, within = ${finding.within},
        last_run_id = ${run.id}
    where org_id = ${run.orgId} and id = ${id}`
}

/** `headSha` is the commit on which it was tested; absent in older rows. */
export type StoredSuggestion = Suggestion & { readonly headSha?: string }

/** The share of the cost is refunded with a refuted finding. */
export async function setSuggestion(
  tx: Tx,
  { orgId, headSha }: Pick<ReviewRun, 'orgId' | 'headSha'>,
  id: FindingId,
  suggestion: Suggestion,
  shareMinor: bigint,
): Promise<void> {
  const stored = toJson({ ...suggestion, headSha })
  await tx.content.rows`
    update review_findings set suggestion = ${stored}::text::json, share_minor = share_minor + ${shareMinor}
    where org_id = ${orgId} and id = ${id}`
}

/** The suggestions of findings that were tested on this commit. */
export async function listSuggestions(
  tx: Tx,
  { orgId, headSha }: Pick<ReviewRun, 'orgId' | 'headSha'>,
  ids: readonly FindingId[],
): Promise<Map<FindingId, Suggestion>> {
  const rows = await tx.content.rows<{ id: FindingId; suggestion: Suggestion }>`
    select id, suggestion from review_findings
    where org_id = ${orgId} and id = any(${[...ids]}::text[]) and suggestion ->> 'headSha' = ${headSha}`
  return new Map(rows.map(({ id, suggestion }) => [id, suggestion]))
}

export async function markPublished(
  tx: Tx,
  org: OrgId,
  ids: readonly FindingId[],
  publishedAs: PublishedAs,
): Promise<void> {
  await tx.content.rows`
    update review_findings set published_as = ${publishedAs} where org_id = ${org} and id = any(${[...ids]}::text[])`
}

export type ListedFinding = {
  id: FindingId
  runId: RunId
  repo: string
  pr: number
  headSha: string
  path: string
  line: number
  startLine: number
  endLine: number
  ruleId: string
  title: string
  cwe: number
  severity: Severity
  confidence: 'high' | 'medium' | 'low'
  message: string
  fix: string
  snippet: string
  flow: { path: string; line: number; what: string }[]
  fingerprint: string
  status: FindingStatus
  suggestion: StoredSuggestion | null
  adjudicatedBy: Judge | null
  adjudicatedLogin: string | null
  note: string | null
  evidence: Record<string, unknown> | null
  creditedMinor: bigint
  createdAt: Date
  adjudicatedAt: Date | null
}

export type FindingsFilter = {
  readonly repo: string | null
  readonly status: FindingStatus | null
  readonly severity: Severity | null
}

/** Newest first, starting before a position. */
export function listFindingsBefore(
  tx: Tx,
  org: OrgId,
  { at, id }: TimeCursor,
  { repo, status, severity }: FindingsFilter,
  limit: number,
): Promise<ListedFinding[]> {
  return tx.content.rows<ListedFinding>`
    select id, run_id as "runId", repo, pr, head_sha as "headSha", path, line, start_line as "startLine", end_line as "endLine",
           rule_id as "ruleId", title, cwe, severity, confidence, message, fix, snippet, flow, fingerprint, status,
           suggestion, adjudicated_by as "adjudicatedBy", adjudicated_login as "adjudicatedLogin", note, evidence, credited_minor as "creditedMinor", created_at as "createdAt",
           adjudicated_at as "adjudicatedAt"
    from review_findings
    where org_id = ${org} and (created_at, id) < (${at}, ${id}) and (${repo}::text is null or repo = ${repo})
      and (${status}::text is null or status = ${status}) and (${severity}::text is null or severity = ${severity})
    order by created_at desc, id desc limit ${limit}`
}

export function findFinding(tx: Tx, org: OrgId, id: string): Promise<ListedFinding | undefined> {
  return tx.content.maybe<ListedFinding>`
    select id, run_id as "runId", repo, pr, head_sha as "headSha", path, line, start_line as "startLine", end_line as "endLine",
           rule_id as "ruleId", title, cwe, severity, confidence, message, fix, snippet, flow, fingerprint, status,
           suggestion, adjudicated_by as "adjudicatedBy", adjudicated_login as "adjudicatedLogin", note, evidence, credited_minor as "creditedMinor", created_at as "createdAt",
           adjudicated_at as "adjudicatedAt"
    from review_findings where org_id = ${org} and id = ${id}`
}

export type LockedFinding = {
  shareMinor: bigint
  ruleId: string
  caseKey: string
  status: FindingStatus
  adjudicatedBy: Judge | null
  /** Whether the change came from a fork or a bot. */
  isUntrusted: boolean
}

/** Locks the row against concurrent verdicts. Undefined when there is no such finding. */
export function lockFinding(tx: Tx, org: OrgId, id: string): Promise<LockedFinding | undefined> {
  return tx.content.maybe<LockedFinding>`
    select finding.share_minor as "shareMinor", finding.rule_id as "ruleId", finding.case_key as "caseKey", finding.status,
           finding.adjudicated_by as "adjudicatedBy", run.is_fork or run.is_bot as "isUntrusted"
    from review_findings finding join review_runs run on run.id = finding.run_id
    where finding.org_id = ${org} and finding.id = ${id} for update of finding`
}

export type PersonVerdict = {
  readonly verdict: Verdict
  /** Null for a person without an account, who is named by `login`. */
  readonly userId: string | null
  readonly login?: string
  readonly note: string | null
  readonly creditedMinor: bigint
}

export async function setPersonVerdict(tx: Tx, org: OrgId, id: string, input: PersonVerdict): Promise<void> {
  await tx.content.rows`
    update review_findings
    set status = ${input.verdict}, adjudicated_by = 'person', adjudicated_user = ${input.userId},
        adjudicated_login = ${input.login ?? null}, note = ${input.note},
        credited_minor = credited_minor + ${input.creditedMinor}, adjudicated_at = ${tx.now}
    where org_id = ${org} and id = ${id}`
}

/** Whether the given review found it. */
export async function wasFoundIn(tx: Tx, org: OrgId, id: FindingId, runId: RunId): Promise<boolean> {
  const row = await tx.content.maybe`
    select id from review_findings where org_id = ${org} and id = ${id} and last_run_id = ${runId}`
  return row !== undefined
}
