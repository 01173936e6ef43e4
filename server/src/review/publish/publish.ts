// Publishes findings in the best place that the permissions allow: inline comments, then annotations of the check, then one
// comment, then only our own lists. If GitHub refuses one place, all of its findings fall back to the next.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import {
  type InlineComment,
  isRefusal,
  listCommentBodies,
  publishCheck,
  publishComment,
  publishReview,
  type Repository,
} from '../../github/github.ts'
import type { PublishedAs } from '../runs/runs-sql.ts'
import {
  findMarkers,
  formatAnnotation,
  formatComment,
  formatSummary,
  formatTitle,
  type ReviewSummary,
  withMarker,
} from './format.ts'

export type Publication = {
  readonly pr: number
  readonly summary: ReviewSummary
  /** The marker that identifies our comment, from a fingerprint or a commit. */
  readonly markerFor: (subject: string) => string
  readonly conclusion: 'success' | 'neutral' | 'failure'
  readonly commentable: ReadonlyMap<string, ReadonlySet<number>>
  /** Fingerprints that an earlier review of this pull request published, at any head. */
  readonly alreadyPublished: ReadonlySet<string>
  readonly may: { readonly inline: boolean; readonly check: boolean; readonly comment: boolean }
  readonly checkRunId: number | null
  /** Called as soon as the check exists, so that a retry after a failure updates it. */
  readonly saveCheckRunId: (id: number) => Promise<void>
}

export type PublishResult = {
  readonly placement: PublishedAs
  readonly checkRunId: number | null
  /** Places that GitHub refused although the permissions allow them. */
  readonly degraded: readonly string[]
  /** Where each finding is visible, by fingerprint. */
  readonly placements: ReadonlyMap<string, PublishedAs>
}

/** More comments in one review look like abuse. The check and the summary list the rest. */
const INLINE_MAX = 30

export async function publish(repository: Repository, publication: Publication): Promise<PublishResult> {
  const { summary, may } = publication
  const degraded: string[] = []
  const inline = may.inline ? await publishInline(repository, publication, degraded) : null
  const inCheck = summary.findings.filter(({ fingerprint }) => !inline?.has(fingerprint))
  const check = may.check ? await publishInCheck(repository, publication, inCheck, degraded) : null
  const rest = check === null ? inCheck : []
  const isCommented =
    rest.length > 0 && may.comment && (await publishInComment(repository, publication, rest, degraded))
  const placements = new Map<string, PublishedAs>()
  for (const { fingerprint } of summary.findings) {
    const fallback = check !== null ? 'annotations' : isCommented ? 'comment' : 'stored'
    placements.set(fingerprint, inline?.has(fingerprint) ? 'inline' : fallback)
  }
  return { placement: bestPlacement(inline, check, isCommented), checkRunId: check, degraded, placements }
}

function bestPlacement(
  inline: ReadonlySet<string> | null,
  check: number | null,
  isCommented: boolean,
): PublishedAs {
  if (inline && inline.size > 0) return 'inline'
  if (check !== null) return 'annotations'
  return isCommented ? 'comment' : 'stored'
}

/** Posts one review with the new findings. Returns the fingerprints of all inline comments, or null if GitHub refuses. */
async function publishInline(
  repository: Repository,
  { pr, summary, commentable, alreadyPublished, markerFor }: Publication,
  degraded: string[],
): Promise<ReadonlySet<string> | null> {
  try {
    const markers = new Set((await listCommentBodies(repository, pr)).flatMap(findMarkers))
    const isPublished = (finding: Finding) =>
      alreadyPublished.has(finding.fingerprint) || markers.has(markerFor(finding.fingerprint))
    const newFindings = summary.findings
      .filter((finding) => !isPublished(finding) && commentable.get(finding.path)?.has(finding.line))
      .slice(0, INLINE_MAX)
    const published = summary.findings.filter(isPublished)
    if (newFindings.length > 0) {
      const comments = newFindings.map((finding) => toInlineComment(finding, markerFor(finding.fingerprint)))
      await publishReview(repository, pr, {
        headSha: summary.headSha,
        body: formatSummary(summary),
        comments,
      })
    }
    return new Set([...newFindings, ...published].map(({ fingerprint }) => fingerprint))
  } catch (error) {
    if (!isRefusal(error, 403, 404, 422)) throw error
    degraded.push('inline_comments')
    return null
  }
}

const toInlineComment = (finding: Finding, marker: string): InlineComment => ({
  path: finding.path,
  line: finding.line,
  body: formatComment(finding, marker),
})

async function publishInCheck(
  repository: Repository,
  { summary, conclusion, checkRunId, saveCheckRunId }: Publication,
  findings: readonly Finding[],
  degraded: string[],
): Promise<number | null> {
  const check = {
    headSha: summary.headSha,
    conclusion,
    title: formatTitle(summary),
    summary: formatSummary(summary),
    annotations: findings.map(formatAnnotation),
  }
  try {
    return await publishCheck(repository, check, checkRunId, saveCheckRunId)
  } catch (error) {
    if (!isRefusal(error, 403, 404, 422)) throw error
    degraded.push('check')
    return null
  }
}

/** Comments only if there are new findings, and once per head. */
async function publishInComment(
  repository: Repository,
  { pr, summary, alreadyPublished, markerFor }: Publication,
  findings: readonly Finding[],
  degraded: string[],
): Promise<boolean> {
  const newFindings = findings.filter(({ fingerprint }) => !alreadyPublished.has(fingerprint))
  if (newFindings.length === 0) return true
  const marker = markerFor(summary.headSha)
  try {
    if (await hasComment(repository, pr, marker)) return true
    await publishComment(
      repository,
      pr,
      withMarker(formatSummary({ ...summary, findings: newFindings }), marker),
    )
    return true
  } catch (error) {
    if (!isRefusal(error, 403, 404, 422)) throw error
    degraded.push('comment')
    return false
  }
}

/** False where the token may write comments but not read them. */
async function hasComment(repository: Repository, pr: number, marker: string): Promise<boolean> {
  try {
    return (await listCommentBodies(repository, pr, 'issues')).flatMap(findMarkers).includes(marker)
  } catch (error) {
    if (!isRefusal(error, 403, 404)) throw error
    return false
  }
}
