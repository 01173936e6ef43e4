// SQL for review runs.
import type { Id, OrgId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { BlockingPolicy, InstallationId } from '../installations/installations-sql.ts'

/** The outcome of running the project's tests. */
export type ValidationResult = {
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly reason: string | null
  readonly details: object
}

export type RunId = Id<'rvw'>
export type RunStatus = 'queued' | 'running' | 'completed' | 'superseded' | 'failed' | 'skipped'
export type Conclusion = 'success' | 'neutral' | 'failure'
export type PublishedAs = 'inline' | 'annotations' | 'comment' | 'stored'

export type NewReviewRun = {
  readonly id: RunId
  readonly orgId: OrgId
  readonly installationId: InstallationId
  readonly repo: string
  readonly repoId: number
  readonly pr: number
  readonly headSha: string
  readonly baseSha: string
  readonly title: string
  readonly isFork: boolean
  readonly isBot: boolean
  /** The author of the pull request at the code host; empty when unknown. */
  readonly author: string
}

export async function insertRun(tx: Tx, run: NewReviewRun): Promise<void> {
  await tx.content.rows`
    insert into review_runs (id, org_id, installation_id, repo, repo_id, pr, head_sha, base_sha, title, is_fork, is_bot, author,
                             status, created_at)
    values (${run.id}, ${run.orgId}, ${run.installationId}, ${run.repo}, ${run.repoId}, ${run.pr}, ${run.headSha},
            ${run.baseSha}, ${run.title}, ${run.isFork}, ${run.isBot}, ${run.author}, 'queued', ${tx.now})`
}

/** Ends the open reviews of a pull request: all of them, or only `id`. */
export async function supersedeRuns(
  tx: Tx,
  org: OrgId,
  { repoId, pr }: Pick<NewReviewRun, 'repoId' | 'pr'>,
  reason: 'newer_head' | 'closed',
  id: RunId | null = null,
): Promise<void> {
  await tx.content.rows`
    update review_runs set status = 'superseded', reason = ${reason}, finished_at = ${tx.now}
    where org_id = ${org} and repo_id = ${repoId} and pr = ${pr} and status in ('queued', 'running')
      and (${id}::text is null or id = ${id})`
}

export async function supersedeInstallationRuns(
  tx: Tx,
  org: OrgId,
  installation: InstallationId,
  reason: string,
): Promise<void> {
  await tx.content.rows`
    update review_runs set status = 'superseded', reason = ${reason}, finished_at = ${tx.now}
    where org_id = ${org} and installation_id = ${installation} and status in ('queued', 'running')`
}

export async function findRunStatus(tx: Tx, org: OrgId, id: RunId): Promise<RunStatus | undefined> {
  const row = await tx.content.maybe<{ status: RunStatus }>`
    select status from review_runs where org_id = ${org} and id = ${id}`
  return row?.status
}

export type RunCost = {
  readonly costMinor: bigint
  readonly walletMinor: bigint
  readonly turns: number
  /** The usage of all turns before rounding. The next turn continues from it. */
  readonly usedMicroKobo: bigint
}

/** A running review. `RunCost` is the cost of its earlier attempts. */
export type ReviewRun = Omit<NewReviewRun, 'repoId'> & RunCost & { repoId: bigint; checkRunId: bigint | null }

/** Starts a queued review, or resumes one that a worker abandoned. Undefined when it has ended. */
export function startRun(tx: Tx, org: OrgId, id: RunId): Promise<ReviewRun | undefined> {
  return tx.content.maybe<ReviewRun>`
    update review_runs set status = 'running', started_at = coalesce(started_at, ${tx.now})
    where org_id = ${org} and id = ${id} and status in ('queued', 'running')
    returning id, org_id as "orgId", installation_id as "installationId", repo, repo_id as "repoId", pr,
              head_sha as "headSha", base_sha as "baseSha", title, is_fork as "isFork", is_bot as "isBot", author,
              check_run_id as "checkRunId", cost_minor as "costMinor", wallet_minor as "walletMinor", turns,
              used_micro_kobo as "usedMicroKobo"`
}

/** The newest review of a pull request. */
export function findLatestRun(
  tx: Tx,
  org: OrgId,
  { repoId, number }: { readonly repoId: number; readonly number: number },
): Promise<LatestRun | undefined> {
  return tx.content.maybe<LatestRun>`
    select id, org_id as "orgId", installation_id as "installationId", repo, repo_id as "repoId", pr,
           head_sha as "headSha", base_sha as "baseSha", title, is_fork as "isFork", is_bot as "isBot", author,
           check_run_id as "checkRunId", cost_minor as "costMinor", wallet_minor as "walletMinor", turns,
           used_micro_kobo as "usedMicroKobo", status, reason, counts, files, validation
    from review_runs where org_id = ${org} and repo_id = ${repoId} and pr = ${number}
    order by created_at desc, id desc limit 1`
}

/** The number of reviews of a pull request since an instant. */
export async function countRuns(
  tx: Tx,
  org: OrgId,
  { repoId, number }: { readonly repoId: number; readonly number: number },
  since: Date,
): Promise<number> {
  const { count } = await tx.content.one<{ count: number }>`
    select count(*)::int as count from review_runs
    where org_id = ${org} and repo_id = ${repoId} and pr = ${number} and created_at >= ${since}`
  return count
}

export type LatestRun = ReviewRun &
  Pick<ListedRun, 'status' | 'reason' | 'counts' | 'files'> & { validation: ValidationResult | null }

export async function requeueRun(tx: Tx, org: OrgId, id: RunId): Promise<void> {
  await tx.content.rows`
    update review_runs set status = 'queued' where org_id = ${org} and id = ${id} and status = 'running'`
}

export async function setCheckRunId(tx: Tx, org: OrgId, id: RunId, checkRunId: number): Promise<void> {
  await tx.content
    .rows`update review_runs set check_run_id = ${checkRunId} where org_id = ${org} and id = ${id}`
}

export type ReviewOutcome = {
  readonly status: 'completed' | 'failed' | 'skipped'
  readonly conclusion: Conclusion
  readonly policy: BlockingPolicy
  readonly degraded: readonly string[]
  readonly reason: string | null
  readonly publishedAs: PublishedAs
  readonly files: number
  readonly lines: number
  readonly notReviewed: readonly object[]
  readonly notes: readonly string[]
  readonly counts: object
}

/** False when the run was ended elsewhere in the meantime. */
export async function finishRun(tx: Tx, org: OrgId, id: RunId, outcome: ReviewOutcome): Promise<boolean> {
  const rows = await tx.content.rows`
    update review_runs
    set status = ${outcome.status}, conclusion = ${outcome.conclusion}, policy = ${outcome.policy},
        degraded = ${[...outcome.degraded]}::text[], reason = ${outcome.reason}, published_as = ${outcome.publishedAs},
        files = ${outcome.files}, lines = ${outcome.lines}, not_reviewed = ${toJson(outcome.notReviewed)}::text::json,
        notes = ${toJson(outcome.notes)}::text::json, counts = ${toJson(outcome.counts)}::text::json, finished_at = ${tx.now}
    where org_id = ${org} and id = ${id} and status = 'running' returning id`
  return rows.length === 1
}

/** Ends a review that cannot publish anything on GitHub. */
export async function finishUnpublishedRun(
  tx: Tx,
  org: OrgId,
  id: RunId,
  reason: string,
  status: 'skipped' | 'failed' = 'skipped',
): Promise<void> {
  await tx.content.rows`
    update review_runs set status = ${status}, reason = ${reason}, published_as = 'stored', finished_at = ${tx.now}
    where org_id = ${org} and id = ${id} and status in ('queued', 'running')`
}

export function findRunCost(tx: Tx, org: OrgId, id: RunId): Promise<RunCost> {
  return tx.content.one<RunCost>`
    select cost_minor as "costMinor", wallet_minor as "walletMinor", turns, used_micro_kobo as "usedMicroKobo"
    from review_runs where org_id = ${org} and id = ${id}`
}

export type TurnCost = {
  readonly chargedMinor: bigint
  readonly walletMinor: bigint
  readonly usedMicroKobo: bigint
}

/**
 * Adds a model turn, and returns the cost over all attempts. Written with every turn, so that a crash loses nothing. A summary
 * can be paid while the review is.
 */
export function addTurnCost(tx: Tx, org: OrgId, id: RunId, turn: TurnCost): Promise<RunCost> {
  return tx.content.one<RunCost>`
    update review_runs
    set cost_minor = cost_minor + ${turn.chargedMinor}, wallet_minor = wallet_minor + ${turn.walletMinor}, turns = turns + 1,
        used_micro_kobo = used_micro_kobo + ${turn.usedMicroKobo}
    where org_id = ${org} and id = ${id}
    returning cost_minor as "costMinor", wallet_minor as "walletMinor", turns, used_micro_kobo as "usedMicroKobo"`
}

/** The cost of other reviews of the same pull request since an instant: repeated pushes share one budget. */
export async function sumOtherRunCosts(
  tx: Tx,
  { orgId, repoId, pr, id }: Pick<ReviewRun, 'orgId' | 'repoId' | 'pr' | 'id'>,
  since: Date,
): Promise<bigint> {
  const { spent } = await tx.content.one<{ spent: bigint }>`
    select coalesce(sum(cost_minor), 0)::bigint as spent from review_runs
    where org_id = ${orgId} and repo_id = ${repoId} and pr = ${pr} and id <> ${id} and created_at >= ${since}`
  return spent
}

export async function setValidation(tx: Tx, org: OrgId, id: RunId, validation: object | null): Promise<void> {
  await tx.content.rows`
    update review_runs set validation = ${validation && toJson(validation)}::text::json
    where org_id = ${org} and id = ${id}`
}

/** Fails runs whose job has used all of its attempts without a result. */
export async function failLostRuns(tx: Tx, createdBefore: Date, most: number): Promise<number> {
  const rows = await tx.content.rows`
    update review_runs set status = 'failed', reason = 'lost', finished_at = ${tx.now}
    where id in (
      select id from review_runs where status in ('queued', 'running') and created_at < ${createdBefore} limit ${most})
    returning id`
  return rows.length
}

export type ListedRun = {
  id: RunId
  installationId: InstallationId
  repo: string
  pr: number
  headSha: string
  title: string
  isFork: boolean
  status: RunStatus
  conclusion: Conclusion | null
  policy: BlockingPolicy
  degraded: string[]
  reason: string | null
  publishedAs: PublishedAs | null
  files: number
  notReviewed: { path: string; reason: string }[]
  notes: string[]
  counts: Record<string, number>
  costMinor: bigint
  turns: number
  validation: Record<string, unknown> | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

/** Newest first, starting before a position. */
export function listRunsBefore(
  tx: Tx,
  org: OrgId,
  { at, id }: TimeCursor,
  repo: string | null,
  limit: number,
): Promise<ListedRun[]> {
  return tx.content.rows<ListedRun>`
    select id, installation_id as "installationId", repo, pr, head_sha as "headSha", title, is_fork as "isFork", status, conclusion,
           policy, degraded, reason, published_as as "publishedAs", files, not_reviewed as "notReviewed", notes, counts,
           cost_minor as "costMinor", turns, validation, created_at as "createdAt", started_at as "startedAt",
           finished_at as "finishedAt"
    from review_runs
    where org_id = ${org} and (created_at, id) < (${at}, ${id}) and (${repo}::text is null or repo = ${repo})
    order by created_at desc, id desc limit ${limit}`
}

export async function deleteRuns(tx: Tx, createdBefore: Date, most: number): Promise<number> {
  const rows = await tx.content.rows`
    delete from review_runs
    where id in (select id from review_runs where created_at < ${createdBefore} order by created_at limit ${most})
    returning id`
  return rows.length
}

export async function deleteInstallationRuns(
  tx: Tx,
  org: OrgId,
  installation: InstallationId,
  most: number,
): Promise<number> {
  const rows = await tx.content.rows`
    delete from review_runs
    where org_id = ${org} and id in (
      select id from review_runs where installation_id = ${installation} limit ${most})
    returning id`
  return rows.length
}
