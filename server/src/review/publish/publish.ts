// Saying what was found, in the best way that is allowed: on the lines themselves, else in the check, else in one comment, else
// nowhere but in our own lists. What is refused half-way goes down a rung with all of its findings.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import {
  type InlineComment,
  listCommentBodies,
  publishCheck,
  publishComment,
  publishReview,
} from '../github/checks-and-comments.ts'
import { isRefusal } from '../github/errors.ts'
import type { Repository } from '../github/repository.ts'
import {
  findMarkers,
  formatAnnotation,
  formatComment,
  formatSummary,
  formatTitle,
  type ReviewSummary,
  withMarker,
} from './format.ts'

export type Placement = 'inline' | 'annotations' | 'comment' | 'stored'

export type Publication = {
  readonly pr: number
  readonly summary: ReviewSummary
  /** What a comment on a finding or a head is known by, from the fingerprint or the commit. */
  readonly markerFor: (what: string) => string
  readonly conclusion: 'success' | 'neutral' | 'failure'
  readonly commentable: ReadonlyMap<string, ReadonlySet<number>>
  /** Fingerprints that were said in this pull request before, at whatever head. */
  readonly said: ReadonlySet<string>
  readonly may: { readonly inline: boolean; readonly check: boolean; readonly comment: boolean }
  readonly checkRunId: number | null
  /** Called once the check is there: whatever breaks off after that finds it again. */
  readonly keepCheck: (id: number) => Promise<void>
}

export type PublishResult = {
  readonly rung: Placement
  readonly checkRunId: number | null
  /** What was refused although it should have been allowed. */
  readonly degraded: readonly string[]
  /** Where each finding is to be seen now, by fingerprint. */
  readonly places: ReadonlyMap<string, Placement>
}

/** More in one review looks like abuse; the rest is in the check and in the summary. */
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
  const places = new Map<string, Placement>()
  for (const { fingerprint } of summary.findings) {
    const fallen = check !== null ? 'annotations' : isCommented ? 'comment' : 'stored'
    places.set(fingerprint, inline?.has(fingerprint) ? 'inline' : fallen)
  }
  return { rung: bestPlacement(inline, check, isCommented), checkRunId: check, degraded, places }
}

function bestPlacement(
  inline: ReadonlySet<string> | null,
  check: number | null,
  isCommented: boolean,
): Placement {
  if (inline && inline.size > 0) return 'inline'
  if (check !== null) return 'annotations'
  return isCommented ? 'comment' : 'stored'
}

/** One review with what is new in it. Returns all that stands on lines of the pull request by now; null when that is refused. */
async function publishInline(
  repository: Repository,
  { pr, summary, commentable, said, markerFor }: Publication,
  degraded: string[],
): Promise<ReadonlySet<string> | null> {
  try {
    const standing = new Set((await listCommentBodies(repository, pr)).flatMap(findMarkers))
    const isPublished = (finding: Finding) =>
      said.has(finding.fingerprint) || standing.has(markerFor(finding.fingerprint))
    const fresh = summary.findings
      .filter((finding) => !isPublished(finding) && commentable.get(finding.path)?.has(finding.line))
      .slice(0, INLINE_MAX)
    const old = summary.findings.filter(isPublished)
    if (fresh.length > 0) {
      const comments = fresh.map((finding) => toInlineComment(finding, markerFor(finding.fingerprint)))
      await publishReview(repository, pr, {
        headSha: summary.headSha,
        body: formatSummary(summary),
        comments,
      })
    }
    return new Set([...fresh, ...old].map(({ fingerprint }) => fingerprint))
  } catch (error) {
    if (!isRefusal(error, 403, 404, 422)) throw error
    degraded.push('inline_comments')
    return null
  }
}

const toInlineComment = (finding: Finding, mark: string): InlineComment => ({
  path: finding.path,
  line: finding.line,
  body: formatComment(finding, mark),
})

async function publishInCheck(
  repository: Repository,
  { summary, conclusion, checkRunId, keepCheck }: Publication,
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
    return await publishCheck(repository, check, checkRunId, keepCheck)
  } catch (error) {
    if (!isRefusal(error, 403, 404, 422)) throw error
    degraded.push('check')
    return null
  }
}

/** Only when there is something that was not said before, and once for each head. */
async function publishInComment(
  repository: Repository,
  { pr, summary, said, markerFor }: Publication,
  findings: readonly Finding[],
  degraded: string[],
): Promise<boolean> {
  const fresh = findings.filter(({ fingerprint }) => !said.has(fingerprint))
  if (fresh.length === 0) return true
  const mark = markerFor(summary.headSha)
  try {
    if (await hasComment(repository, pr, mark)) return true
    await publishComment(repository, pr, withMarker(formatSummary({ ...summary, findings: fresh }), mark))
    return true
  } catch (error) {
    if (!isRefusal(error, 403, 404, 422)) throw error
    degraded.push('comment')
    return false
  }
}

/** Where comments may be made and not read, none is known of. */
async function hasComment(repository: Repository, pr: number, mark: string): Promise<boolean> {
  try {
    return (await listCommentBodies(repository, pr, 'issues')).flatMap(findMarkers).includes(mark)
  } catch (error) {
    if (!isRefusal(error, 403, 404)) throw error
    return false
  }
}
