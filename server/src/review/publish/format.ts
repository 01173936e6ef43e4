// Formats findings and summaries as comments, annotations and check texts.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import { type CheckAnnotation, escapeProse, formatCode, toOneLine } from '../../github/github.ts'

export const LEVELS = { error: 'failure', warn: 'warning', note: 'notice' } as const
const NAMES = { error: 'Error', warn: 'Warning', note: 'Note' } as const
const LISTED_MAX = 60
const FLOW_MAX = 8
/** GitHub accepts about 65,000 characters. */
const TEXT_MAX = 60_000

/** Markers identify our comments, so that none is posted twice. */
export const findMarkers = (text: string): string[] =>
  [...text.matchAll(/<!-- cowrie:fp=([\w-]{1,200}) -->/g)].map((match) => match[1] ?? '')

export const withMarker = (text: string, marker: string): string => `${text}\n\n<!-- cowrie:fp=${marker} -->`

/** A comment on the line of a finding. */
export function formatComment(finding: Finding, marker: string): string {
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
  return withMarker(text, marker)
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
  /** Why the review is incomplete, as a sentence; null when it is complete. */
  readonly problem: string | null
}

export function formatTitle({ findings, files, problem }: ReviewSummary): string {
  if (problem !== null && findings.length === 0) return files === 0 ? 'Not reviewed' : 'Partly reviewed'
  if (findings.length === 0) return 'Nothing found'
  const parts = (['error', 'warn', 'note'] as const)
    .map((severity) => [severity, findings.filter((each) => each.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${NAMES[severity].toLowerCase()}${count === 1 ? '' : 's'}`)
  return parts.join(', ')
}

export function formatSummary(summary: ReviewSummary): string {
  const { headSha, findings, files, notReviewed, notes, problem } = summary
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
      ...(problem === null ? [] : [escapeProse(problem)]),
      ...(listed.length > 0 ? [listed.join('\n')] : []),
      ...(more > 0 ? [`And ${more} more. The list of findings in Cowrie shows all of them.`] : []),
      ...(notReviewed.length > 0 ? [formatUnreviewed(notReviewed)] : []),
      ...notes.map(escapeProse),
    ].join('\n\n'),
  )
}

const UNREVIEWED_MAX = 20

function formatUnreviewed(notReviewed: ReviewSummary['notReviewed']): string {
  const named = notReviewed
    .slice(0, UNREVIEWED_MAX)
    .map(({ path, reason }) => `- ${formatCode(path)}: ${escapeProse(reason.replaceAll('_', ' '))}`)
  const more = notReviewed.length - named.length
  return [`Not reviewed:`, ...named, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

const truncate = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text)
