// The end of a review: what was found is kept, said on GitHub, and noted together with how it was said.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import { type FindingId, markPublished } from '../findings/findings-sql.ts'
import { type RecordedFinding, recordFindings } from '../findings/record-findings.ts'
import { findPermissionGaps, hasPermission } from '../github/permissions.ts'
import { decideConclusion } from '../publish/conclusion.ts'
import { type Placement, type PublishResult, publish } from '../publish/publish.ts'
import type { ChangeSet } from '../pull/change-set.ts'
import type { ReviewContext, ReviewProblem, ReviewResult } from './pipeline.ts'
import { ReviewSuperseded } from './review-context.ts'
import { finishRun, type RunOutcome, setCheckRunId, setValidation } from './runs-sql.ts'

export async function completeReview(
  review: ReviewContext,
  subject: ChangeSet,
  result: ReviewResult,
): Promise<void> {
  const { app, run } = review
  const kept = await app.db.tx(run.orgId, async (tx) => {
    await setValidation(tx, run.orgId, run.id, result.validation)
    return recordFindings(app, tx, run, result.findings)
  })
  // What somebody has refuted is not told again and blocks nothing.
  const live = kept.filter(({ status }) => status !== 'refuted')
  const conclusion = decideConclusion(review.installation.blockingPolicy, {
    findings: live.map(({ finding }) => finding),
    hasFailedValidation: result.validation?.status === 'failed',
    isIncomplete: result.trouble !== null,
  })
  await review.throwIfSuperseded()
  const notReviewed = [...subject.notReviewed, ...result.notReviewed]
  const notes = [...subject.gaps, ...subject.notes, ...result.notes, ...refutedNotes(kept)]
  const summary = {
    headSha: run.headSha,
    findings: live.map(({ finding }) => finding),
    files: result.files,
    notReviewed,
    notes,
    trouble: result.trouble?.sentence ?? null,
  }
  const said = new Set(
    live.filter(({ isPublished: isPublished }) => isPublished).map(({ finding }) => finding.fingerprint),
  )
  const published = await publishSummary(review, {
    summary,
    conclusion,
    said,
    commentable: subject.commentable,
  })
  await storeOutcome(review, kept, published, {
    status: 'completed',
    conclusion,
    reason: result.trouble?.reason ?? null,
    files: result.files,
    lines: result.lines,
    notReviewed,
    notes,
    counts: { ...countFindings(kept), preexisting: result.preexisting },
  })
}

const SUPPRESSED_LISTED_MAX = 20

/** What is not told as a finding is told in a line, with whose word that is. */
function refutedNotes(kept: readonly RecordedFinding[]): string[] {
  return (['model', 'history'] as const).flatMap((judge) => {
    const refuted = kept.filter(({ status, by }) => status === 'refuted' && by === judge)
    if (refuted.length === 0) return []
    const named = refuted
      .slice(0, SUPPRESSED_LISTED_MAX)
      .map(({ finding: { ruleId, path, line } }) => `${ruleId} in ${path}:${line}`)
    const more = refuted.length - named.length
    const words = judge === 'model' ? 'Refuted by a model and not reported' : 'Suppressed by history'
    return [`${words}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]
  })
}

/** A review that could not be made says so politely: our trouble stops nobody's merge. */
export async function reportIncompleteReview(
  review: ReviewContext,
  status: 'failed' | 'skipped',
  trouble: ReviewProblem,
): Promise<void> {
  const { run } = review
  const summary = {
    headSha: run.headSha,
    findings: [],
    files: 0,
    notReviewed: [],
    notes: [],
    trouble: trouble.sentence,
  }
  const published = await publishSummary(review, {
    summary,
    conclusion: 'neutral',
    said: new Set(),
    commentable: new Map(),
  })
  const empty = { files: 0, lines: 0, notReviewed: [], notes: [], counts: countFindings([]) }
  await storeOutcome(review, [], published, {
    status,
    conclusion: 'neutral',
    reason: trouble.reason,
    ...empty,
  })
}

type SummaryInput = Pick<Parameters<typeof publish>[1], 'summary' | 'conclusion' | 'said' | 'commentable'>

function publishSummary(
  { app, run, installation, repository }: ReviewContext,
  saying: SummaryInput,
): Promise<PublishResult> {
  const { permissions, inlineComments } = installation
  const comments = hasPermission(permissions, 'pull_requests', 'write')
  const { secrets } = app
  return publish(repository, {
    ...saying,
    pr: run.pr,
    // Nobody else can make one, and keep a finding from being said by that.
    markerFor: (what) => secrets.digest(`${run.repoId} ${run.pr} ${what}`, 'review marker').slice(0, 40),
    keepCheck: (id) => app.db.tx(run.orgId, (tx) => setCheckRunId(tx, run.orgId, run.id, id)),
    checkRunId: run.checkRunId === null ? null : Number(run.checkRunId),
    may: {
      inline: inlineComments && comments,
      check: hasPermission(permissions, 'checks', 'write'),
      comment: comments || hasPermission(permissions, 'issues', 'write'),
    },
  })
}

type OutcomeInput = Omit<RunOutcome, 'policy' | 'degraded' | 'publishedAs'>

async function storeOutcome(
  review: ReviewContext,
  kept: readonly RecordedFinding[],
  published: PublishResult,
  facts: OutcomeInput,
): Promise<void> {
  const { app, run, installation } = review
  const { orgId } = run
  const gaps = findPermissionGaps(installation.permissions, installation.events).map(({ lost }) =>
    lost.replaceAll(' ', '_'),
  )
  const ending: RunOutcome = {
    ...facts,
    policy: installation.blockingPolicy,
    degraded: [...new Set([...gaps, ...published.degraded])],
    publishedAs: published.rung,
  }
  const isEnded = await app.db.tx(orgId, async (tx) => {
    if (published.checkRunId !== null) await setCheckRunId(tx, orgId, run.id, published.checkRunId)
    for (const [rung, ids] of groupByPlacement(kept, published)) await markPublished(tx, orgId, ids, rung)
    return finishRun(tx, orgId, run.id, ending)
  })
  if (!isEnded) throw new ReviewSuperseded()
}

function groupByPlacement(
  kept: readonly RecordedFinding[],
  { places }: PublishResult,
): Map<Placement, FindingId[]> {
  const ids = new Map<Placement, FindingId[]>()
  for (const { id, finding } of kept) {
    const rung = places.get(finding.fingerprint)
    if (rung) ids.set(rung, [...(ids.get(rung) ?? []), id])
  }
  return ids
}

function countFindings(kept: readonly RecordedFinding[]) {
  const count = (severity: Finding['severity']) =>
    kept.filter(({ finding }) => finding.severity === severity).length
  return {
    findings: kept.length,
    error: count('error'),
    warn: count('warn'),
    note: count('note'),
    refuted: kept.filter(({ status }) => status === 'refuted').length,
  }
}
