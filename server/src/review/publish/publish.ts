// Publishes findings in the best place that the permissions allow: inline comments, then annotations of the check, then one
// comment, then only our own lists. If the host refuses one place, its findings fall back to the next.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import { type Forge, type InlineComment, isRefusal } from '../../forge/forge.ts'
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
import type { Suggestion } from './format-suggestion.ts'

export type Publication = {
  readonly pr: number
  readonly summary: ReviewSummary
  /** The marker that identifies our comment, from a fingerprint or a commit. */
  readonly markerFor: (subject: string) => string
  readonly conclusion: 'success' | 'neutral' | 'failure'
  readonly commentable: ReadonlyMap<string, ReadonlySet<number>>
  /** Fingerprints that an earlier review of this pull request published, at any head. */
  readonly alreadyPublished: ReadonlySet<string>
  /** Tested changes, by fingerprint. */
  readonly suggestions: ReadonlyMap<string, Suggestion>
  readonly may: { readonly inline: boolean; readonly check: boolean; readonly comment: boolean }
  readonly checkRunId: number | null
  /** Called as soon as the check exists, so that a retry after a failure updates it. */
  readonly saveCheckRunId: (id: number) => Promise<void>
}

export type PublishResult = {
  readonly placement: PublishedAs
  readonly checkRunId: number | null
  /** Places that the host refused although the permissions allow them. */
  readonly degraded: readonly string[]
  /** Where each finding is visible, by fingerprint. */
  readonly placements: ReadonlyMap<string, PublishedAs>
}

/** More comments in one review look like abuse. The check and the summary list the rest. */
const INLINE_MAX = 30
const REFUSED = [400, 403, 404, 422]

export async function publish(forge: Forge, publication: Publication): Promise<PublishResult> {
  const { summary, may } = publication
  const degraded: string[] = []
  const inline = may.inline ? await publishInline(forge, publication, degraded) : null
  const inCheck = summary.findings.filter(({ fingerprint }) => !inline?.has(fingerprint))
  const check = may.check ? await publishInCheck(forge, publication, inCheck, degraded) : null
  const isAnnotated = check !== null && forge.hasAnnotations
  const rest = isAnnotated ? [] : inCheck
  const isCommented =
    rest.length > 0 && may.comment && (await publishInComment(forge, publication, rest, degraded))
  const placements = new Map<string, PublishedAs>()
  for (const { fingerprint } of summary.findings) {
    const fallback = isAnnotated ? 'annotations' : isCommented ? 'comment' : 'stored'
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

/** Posts one review with the new findings. Returns the fingerprints of all inline comments, or null if the host refuses. */
async function publishInline(
  forge: Forge,
  publication: Publication,
  degraded: string[],
): Promise<ReadonlySet<string> | null> {
  const { pr, summary, commentable, alreadyPublished, markerFor } = publication
  try {
    const markers = new Set((await forge.listCommentBodies(pr, 'lines')).flatMap(findMarkers))
    const isPublished = (finding: Finding) =>
      alreadyPublished.has(finding.fingerprint) || markers.has(markerFor(finding.fingerprint))
    const newFindings = summary.findings
      .filter((finding) => !isPublished(finding) && commentable.get(finding.path)?.has(finding.line))
      .slice(0, INLINE_MAX)
    const shown = new Set(summary.findings.filter(isPublished).map(({ fingerprint }) => fingerprint))
    if (newFindings.length === 0) return shown
    const comments = newFindings.map((finding) => toInlineComment(forge, publication, finding))
    const { headSha } = summary
    const body = formatSummary(summary, forge.kind)
    const accepted = await forge.publishInline(pr, { headSha, body, comments })
    for (const [at, { fingerprint }] of newFindings.entries()) {
      const comment = comments[at]
      if (comment && accepted.has(comment)) shown.add(fingerprint)
    }
    if (accepted.size < comments.length) degraded.push('inline_comments')
    return shown
  } catch (error) {
    if (!isRefusal(error, ...REFUSED)) throw error
    degraded.push('inline_comments')
    return null
  }
}

/** On GitHub a suggestion replaces exactly the lines of its comment. */
function toInlineComment(
  { kind }: Forge,
  { summary, markerFor, suggestions }: Publication,
  finding: Finding,
): InlineComment {
  const { path, line, fingerprint } = finding
  const suggestion = suggestions.get(fingerprint)
  const url = summary.links.finding(fingerprint)
  const body = formatComment({ finding, marker: markerFor(fingerprint), url, suggestion, kind })
  if (!suggestion || kind !== 'github') return { path, line, body }
  return { path, line: suggestion.endLine, startLine: suggestion.startLine, body }
}

async function publishInCheck(
  forge: Forge,
  { summary, conclusion, checkRunId, saveCheckRunId }: Publication,
  findings: readonly Finding[],
  degraded: string[],
): Promise<number | null> {
  const { headSha, links } = summary
  const check = {
    headSha,
    conclusion,
    title: formatTitle(summary),
    summary: formatSummary(summary, forge.kind),
    annotations: findings.map((finding) => formatAnnotation(finding, links.finding(finding.fingerprint))),
    detailsUrl: links.run,
  }
  try {
    return await forge.publishCheck(check, checkRunId, saveCheckRunId)
  } catch (error) {
    if (!isRefusal(error, ...REFUSED)) throw error
    degraded.push('check')
    return null
  }
}

/** Comments only if there are new findings, and once per head. */
async function publishInComment(
  forge: Forge,
  { pr, summary, alreadyPublished, markerFor }: Publication,
  findings: readonly Finding[],
  degraded: string[],
): Promise<boolean> {
  const newFindings = findings.filter(({ fingerprint }) => !alreadyPublished.has(fingerprint))
  if (newFindings.length === 0) return true
  const marker = markerFor(summary.headSha)
  try {
    if (await hasComment(forge, pr, marker)) return true
    const text = formatSummary({ ...summary, findings: newFindings }, forge.kind)
    await forge.publishComment(pr, withMarker(text, marker, forge.kind))
    return true
  } catch (error) {
    if (!isRefusal(error, ...REFUSED)) throw error
    degraded.push('comment')
    return false
  }
}

/** False where the token may write comments but not read them. */
async function hasComment(forge: Forge, pr: number, marker: string): Promise<boolean> {
  try {
    return (await forge.listCommentBodies(pr, 'conversation')).flatMap(findMarkers).includes(marker)
  } catch (error) {
    if (!isRefusal(error, 403, 404)) throw error
    return false
  }
}
