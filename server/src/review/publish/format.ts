// What a review says, in the places that it says it.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { CheckAnnotation } from '../github/checks-and-comments.ts'
import { escapeProse, formatCode, toOneLine } from './escape-markdown.ts'

export const LEVELS = { error: 'failure', warn: 'warning', note: 'notice' } as const
const NAMES = { error: 'Error', warn: 'Warning', note: 'Note' } as const
const LISTED_MAX = 60
const FLOW_MAX = 8
/** GitHub takes about 65 thousand characters. */
const TEXT_MAX = 60_000

/** What comments of ours are known by, so that none is made twice. */
export const findMarkers = (text: string): string[] =>
  [...text.matchAll(/<!-- cowrie:fp=([\w-]{1,200}) -->/g)].map((match) => match[1] ?? '')

export const withMarker = (text: string, mark: string): string => `${text}\n\n<!-- cowrie:fp=${mark} -->`

/** A comment on the line of a finding. */
export function formatComment(finding: Finding, mark: string): string {
  const { severity, confidence, title, message, fix, ruleId, cwe, flow } = finding
  const steps = flow
    .slice(0, FLOW_MAX)
    .map(({ path, at, what }) => `- ${formatCode(`${path}:${at.line}`)} ${escapeProse(what)}`)
  const text = truncate(
    [
      `**${NAMES[severity]}: ${escapeProse(title)}** (${confidence} confidence, ${formatCode(ruleId)}, CWE-${cwe})`,
      escapeProse(message),
      ...(steps.length > 0 ? [steps.join('\n')] : []),
      `**Fix:** ${escapeProse(fix)}`,
    ].join('\n\n'),
  )
  return withMarker(text, mark)
}

export function formatAnnotation(finding: Finding): CheckAnnotation {
  const { path, line, endLine, severity, title, message, fix, ruleId } = finding
  return {
    path,
    start_line: line,
    end_line: Math.max(line, endLine),
    annotation_level: LEVELS[severity],
    title: toOneLine(`${title} (${ruleId})`).slice(0, 255),
    message: toOneLine(`${message} Fix: ${fix}`),
  }
}

export type ReviewSummary = {
  readonly headSha: string
  readonly findings: readonly Finding[]
  readonly files: number
  readonly notReviewed: readonly { readonly path: string; readonly reason: string }[]
  readonly notes: readonly string[]
  /** Why our own work is incomplete, as a sentence; null when it is not. */
  readonly trouble: string | null
}

export function formatTitle({ findings, files, trouble }: ReviewSummary): string {
  if (trouble !== null && findings.length === 0) return files === 0 ? 'Not reviewed' : 'Not all reviewed'
  if (findings.length === 0) return 'Nothing found'
  const parts = (['error', 'warn', 'note'] as const)
    .map((severity) => [severity, findings.filter((each) => each.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${NAMES[severity].toLowerCase()}${count === 1 ? '' : 's'}`)
  return parts.join(', ')
}

export function formatSummary(summary: ReviewSummary): string {
  const { headSha, findings, files, notReviewed, notes, trouble } = summary
  const listed = findings
    .slice(0, LISTED_MAX)
    .map(
      ({ severity, title, path, line }) =>
        `- ${NAMES[severity]}: ${escapeProse(title)} in ${formatCode(`${path}:${line}`)}`,
    )
  const more = findings.length - listed.length
  return truncate(
    [
      `Commit ${formatCode(headSha.slice(0, 12))}: ${files} ${files === 1 ? 'file' : 'files'} reviewed, ${formatTitle(summary).toLowerCase()}.`,
      ...(trouble === null ? [] : [escapeProse(trouble)]),
      ...(listed.length > 0 ? [listed.join('\n')] : []),
      ...(more > 0 ? [`And ${more} more; the list of findings has them all.`] : []),
      ...(notReviewed.length > 0 ? [formatUnreviewed(notReviewed)] : []),
      ...notes.map(escapeProse),
    ].join('\n\n'),
  )
}

const LEFT_OUT_MAX = 20

function formatUnreviewed(notReviewed: ReviewSummary['notReviewed']): string {
  const named = notReviewed
    .slice(0, LEFT_OUT_MAX)
    .map(({ path, reason }) => `- ${formatCode(path)}: ${escapeProse(reason.replaceAll('_', ' '))}`)
  const more = notReviewed.length - named.length
  return [`Not reviewed:`, ...named, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

const truncate = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text)
