// The end of a review: stores the findings, publishes them at the code host and records the outcome of the run.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import { findPermissionGaps, hasPermission } from '../../github/github.ts'
import { type FindingId, markPublished } from '../findings/findings-sql.ts'
import { type RecordedFinding, recordFindings } from '../findings/record-findings.ts'
import { decideConclusion } from '../publish/conclusion.ts'
import { type DetailLinks, findingUrl } from '../publish/format.ts'
import { markerFor } from '../publish/marker.ts'
import { type Publication, type PublishResult, publish } from '../publish/publish.ts'
import type { ChangeSet } from '../pull/change-set.ts'
import { suggestChanges } from '../suggest/suggest-changes.ts'
import {
  type ReviewContext,
  type ReviewProblem,
  type ReviewResult,
  ReviewSuperseded,
} from './review-context.ts'
import { finishRun, type PublishedAs, type ReviewOutcome, setCheckRunId, setValidation } from './runs-sql.ts'

export async function completeReview(
  review: ReviewContext,
  changeSet: ChangeSet,
  result: ReviewResult,
): Promise<void> {
  const { app, run } = review
  const recorded = await app.db.tx(run.orgId, async (tx) => {
    await setValidation(tx, run.orgId, run.id, result.validation)
    return recordFindings(app, tx, run, result.findings)
  })
  // Refuted findings are not published and block nothing.
  const live = recorded.filter(({ status }) => status !== 'refuted')
  const conclusion = decideConclusion(review.installation.blockingPolicy, {
    findings: live.map(({ finding }) => finding),
    hasFailedValidation: result.validation?.status === 'failed',
    isIncomplete: result.problem !== null,
  })
  await review.throwIfSuperseded()
  const notReviewed = [...changeSet.notReviewed, ...result.notReviewed]
  const notes = [...changeSet.gaps, ...changeSet.notes, ...result.notes, ...refutedNotes(recorded)]
  const summary = {
    headSha: run.headSha,
    findings: live.map(({ finding }) => finding),
    files: result.files,
    notReviewed,
    notes,
    problem: result.problem?.message ?? null,
    links: detailLinks(review, recorded),
  }
  const alreadyPublished = new Set(
    live.filter(({ isPublished }) => isPublished).map(({ finding }) => finding.fingerprint),
  )
  const published = await publishSummary(review, {
    summary,
    conclusion,
    alreadyPublished,
    commentable: changeSet.commentable,
    suggestions: await suggestChanges(review, changeSet, result.validation, live),
  })
  await storeOutcome(review, recorded, published, {
    status: 'completed',
    conclusion,
    reason: result.problem?.reason ?? null,
    files: result.files,
    lines: result.lines,
    notReviewed,
    notes,
    counts: { ...countFindings(recorded), preexisting: result.preexisting },
  })
}

const SUPPRESSED_LISTED_MAX = 20

/** Refuted findings are listed in a note that names the judge. */
function refutedNotes(recorded: readonly RecordedFinding[]): string[] {
  return (['model', 'history'] as const).flatMap((judge) => {
    const refuted = recorded.filter(({ status, by }) => status === 'refuted' && by === judge)
    if (refuted.length === 0) return []
    const named = refuted
      .slice(0, SUPPRESSED_LISTED_MAX)
      .map(({ finding: { ruleId, path, line } }) => `${ruleId} in ${path}:${line}`)
    const more = refuted.length - named.length
    const label = judge === 'model' ? 'Refuted by a model and not reported' : 'Suppressed by history'
    return [`${label}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]
  })
}

/** Publishes why there is no review. The conclusion is neutral, so that it never blocks a merge. */
export async function reportIncompleteReview(
  review: ReviewContext,
  status: 'failed' | 'skipped',
  problem: ReviewProblem,
): Promise<void> {
  const { run } = review
  const summary = {
    headSha: run.headSha,
    findings: [],
    files: 0,
    notReviewed: [],
    notes: [],
    problem: problem.message,
    links: detailLinks(review, []),
  }
  const published = await publishSummary(review, {
    summary,
    conclusion: 'neutral',
    alreadyPublished: new Set(),
    commentable: new Map(),
    suggestions: new Map(),
  })
  const empty = { files: 0, lines: 0, notReviewed: [], notes: [], counts: countFindings([]) }
  await storeOutcome(review, [], published, {
    status,
    conclusion: 'neutral',
    reason: problem.reason,
    ...empty,
  })
}

/** The pages of the app that show the review and its findings. */
function detailLinks(
  { app: { config }, run }: ReviewContext,
  recorded: readonly RecordedFinding[],
): DetailLinks {
  const ids = new Map(recorded.map(({ id, finding }) => [finding.fingerprint, id]))
  return {
    run: `${config.baseUrl}/app/review?run=${run.id}`,
    finding(fingerprint) {
      const id = ids.get(fingerprint)
      return id && findingUrl(config.baseUrl, id)
    },
  }
}

type SummaryInput = Pick<
  Publication,
  'summary' | 'conclusion' | 'alreadyPublished' | 'commentable' | 'suggestions'
>

function publishSummary(
  { app, run, installation, forge }: ReviewContext,
  input: SummaryInput,
): Promise<PublishResult> {
  const { permissions, inlineComments } = installation
  const comments = hasPermission(permissions, 'pull_requests', 'write')
  return publish(forge, {
    ...input,
    pr: run.pr,
    markerFor: (subject) => markerFor(app, run, subject),
    saveCheckRunId: (id) => app.db.tx(run.orgId, (tx) => setCheckRunId(tx, run.orgId, run.id, id)),
    checkRunId: run.checkRunId === null ? null : Number(run.checkRunId),
    may: {
      inline: inlineComments && comments,
      check: hasPermission(permissions, 'checks', 'write'),
      comment: comments || hasPermission(permissions, 'issues', 'write'),
    },
  })
}

type OutcomeInput = Omit<ReviewOutcome, 'policy' | 'degraded' | 'publishedAs'>

async function storeOutcome(
  review: ReviewContext,
  recorded: readonly RecordedFinding[],
  published: PublishResult,
  input: OutcomeInput,
): Promise<void> {
  const { app, run, installation } = review
  const { orgId } = run
  const gaps = findPermissionGaps(installation.permissions, installation.events).map(({ lost }) =>
    lost.replaceAll(' ', '_'),
  )
  const outcome: ReviewOutcome = {
    ...input,
    policy: installation.blockingPolicy,
    degraded: [...new Set([...gaps, ...published.degraded])],
    publishedAs: published.placement,
  }
  const isFinished = await app.db.tx(orgId, async (tx) => {
    if (published.checkRunId !== null) await setCheckRunId(tx, orgId, run.id, published.checkRunId)
    for (const [placement, ids] of groupByPlacement(recorded, published))
      await markPublished(tx, orgId, ids, placement)
    return finishRun(tx, orgId, run.id, outcome)
  })
  if (!isFinished) throw new ReviewSuperseded()
}

function groupByPlacement(
  recorded: readonly RecordedFinding[],
  { placements }: PublishResult,
): Map<PublishedAs, FindingId[]> {
  const ids = new Map<PublishedAs, FindingId[]>()
  for (const { id, finding } of recorded) {
    const placement = placements.get(finding.fingerprint)
    if (placement) ids.set(placement, [...(ids.get(placement) ?? []), id])
  }
  return ids
}

function countFindings(recorded: readonly RecordedFinding[]) {
  const count = (severity: Finding['severity']) =>
    recorded.filter(({ finding }) => finding.severity === severity).length
  return {
    findings: recorded.length,
    error: count('error'),
    warn: count('warn'),
    note: count('note'),
    refuted: recorded.filter(({ status }) => status === 'refuted').length,
  }
}
