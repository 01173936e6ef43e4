// The end of a review: what was found is kept, said on GitHub, and noted together with how it was said.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import { type FindingId, markPublished } from '../findings/findings-sql.ts'
import { type Kept, keepFindings } from '../findings/record-findings.ts'
import { gapsOf, may } from '../github/permissions.ts'
import { conclusionOf } from '../publish/conclusion.ts'
import { type Published, publish, type Rung } from '../publish/publish.ts'
import type { Subject } from '../pull/change-set.ts'
import type { Result, Review, Trouble } from './pipeline.ts'
import { Superseded } from './review-context.ts'
import { type Ending, endRun, keepCheck, keepValidation } from './runs-sql.ts'

export async function conclude(review: Review, subject: Subject, result: Result): Promise<void> {
  const { app, run } = review
  const kept = await app.db.tx(run.orgId, async (tx) => {
    await keepValidation(tx, run.orgId, run.id, result.validation)
    return keepFindings(app, tx, run, result.findings)
  })
  // What somebody has refuted is not told again and blocks nothing.
  const live = kept.filter(({ status }) => status !== 'refuted')
  const conclusion = conclusionOf(review.installation.blockingPolicy, {
    findings: live.map(({ finding }) => finding),
    hasFailedValidation: result.validation?.status === 'failed',
    isTroubled: result.trouble !== null,
  })
  await review.goOn()
  const notReviewed = [...subject.notReviewed, ...result.notReviewed]
  const notes = [...subject.gaps, ...subject.notes, ...result.notes, ...suppressedNotes(kept)]
  const summary = {
    headSha: run.headSha,
    findings: live.map(({ finding }) => finding),
    files: result.files,
    notReviewed,
    notes,
    trouble: result.trouble?.sentence ?? null,
  }
  const said = new Set(live.filter(({ isSaid }) => isSaid).map(({ finding }) => finding.fingerprint))
  const published = await say(review, { summary, conclusion, said, commentable: subject.commentable })
  await end(review, kept, published, {
    status: 'completed',
    conclusion,
    reason: result.trouble?.reason ?? null,
    files: result.files,
    lines: result.lines,
    notReviewed,
    notes,
    counts: { ...countsOf(kept), preexisting: result.preexisting },
  })
}

const SUPPRESSED_LISTED_MAX = 20

/** What is not told as a finding is told in a line, with whose word that is. */
function suppressedNotes(kept: readonly Kept[]): string[] {
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
export async function excuse(review: Review, status: 'failed' | 'skipped', trouble: Trouble): Promise<void> {
  const { run } = review
  const summary = {
    headSha: run.headSha,
    findings: [],
    files: 0,
    notReviewed: [],
    notes: [],
    trouble: trouble.sentence,
  }
  const published = await say(review, {
    summary,
    conclusion: 'neutral',
    said: new Set(),
    commentable: new Map(),
  })
  const empty = { files: 0, lines: 0, notReviewed: [], notes: [], counts: countsOf([]) }
  await end(review, [], published, { status, conclusion: 'neutral', reason: trouble.reason, ...empty })
}

type Saying = Pick<Parameters<typeof publish>[1], 'summary' | 'conclusion' | 'said' | 'commentable'>

function say({ app, run, installation, repository }: Review, saying: Saying): Promise<Published> {
  const { permissions, inlineComments } = installation
  const comments = may(permissions, 'pull_requests', 'write')
  const { secrets } = app
  return publish(repository, {
    ...saying,
    pr: run.pr,
    // Nobody else can make one, and keep a finding from being said by that.
    markOf: (what) => secrets.digest(`${run.repoId} ${run.pr} ${what}`, 'review marker').slice(0, 40),
    keepCheck: (id) => app.db.tx(run.orgId, (tx) => keepCheck(tx, run.orgId, run.id, id)),
    checkRunId: run.checkRunId === null ? null : Number(run.checkRunId),
    may: {
      inline: inlineComments && comments,
      check: may(permissions, 'checks', 'write'),
      comment: comments || may(permissions, 'issues', 'write'),
    },
  })
}

type Facts = Omit<Ending, 'policy' | 'degraded' | 'publishedAs'>

async function end(review: Review, kept: readonly Kept[], published: Published, facts: Facts): Promise<void> {
  const { app, run, installation } = review
  const { orgId } = run
  const gaps = gapsOf(installation.permissions, installation.events).map(({ lost }) =>
    lost.replaceAll(' ', '_'),
  )
  const ending: Ending = {
    ...facts,
    policy: installation.blockingPolicy,
    degraded: [...new Set([...gaps, ...published.degraded])],
    publishedAs: published.rung,
  }
  const isEnded = await app.db.tx(orgId, async (tx) => {
    if (published.checkRunId !== null) await keepCheck(tx, orgId, run.id, published.checkRunId)
    for (const [rung, ids] of byRung(kept, published)) await markPublished(tx, orgId, ids, rung)
    return endRun(tx, orgId, run.id, ending)
  })
  if (!isEnded) throw new Superseded()
}

function byRung(kept: readonly Kept[], { places }: Published): Map<Rung, FindingId[]> {
  const ids = new Map<Rung, FindingId[]>()
  for (const { id, finding } of kept) {
    const rung = places.get(finding.fingerprint)
    if (rung) ids.set(rung, [...(ids.get(rung) ?? []), id])
  }
  return ids
}

function countsOf(kept: readonly Kept[]) {
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
