// Formats findings and summaries as comments, annotations and check texts.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { CheckAnnotation, ForgeKind } from '../../forge/forge.ts'
import { escapeProse, formatCode, formatProse, toOneLine } from '../../github/github.ts'
import { formatSuggestion, type Suggestion } from './format-suggestion.ts'

export const LEVELS = { error: 'failure', warn: 'warning', note: 'notice' } as const
const NAMES = { error: 'Error', warn: 'Warning', note: 'Note' } as const
const LISTED_MAX = 60
const FLOW_MAX = 8
/** GitHub accepts about 65,000 characters; Bitbucket 32,768. */
const TEXT_MAX: Readonly<Record<ForgeKind, number>> = { github: 60_000, gitlab: 60_000, bitbucket: 30_000 }

/** Pages of Cowrie. */
export type DetailLinks = {
  readonly run: string
  /** The page of a finding by its fingerprint; undefined when it is not stored. */
  finding(fingerprint: string): string | undefined
}

export const findingUrl = (baseUrl: string, id: string): string => `${baseUrl}/app/review/findings/${id}`

/** Markers identify our comments, so that none is posted twice. */
export const findMarkers = (text: string): string[] =>
  [...text.matchAll(/(?:<!-- |\[\/\/\]: # \()cowrie:fp=([\w-]{1,200})(?: -->|\))/g)].map(
    (match) => match[1] ?? '',
  )

/** Bitbucket shows HTML comments, so its markers are link definitions without a use. */
export const hiddenText = (text: string, kind: ForgeKind): string =>
  kind === 'bitbucket' ? `[//]: # (${text})` : `<!-- ${text} -->`

export const withMarker = (text: string, marker: string, kind: ForgeKind): string =>
  `${text}\n\n${hiddenText(`cowrie:fp=${marker}`, kind)}`

export type CommentInput = {
  readonly finding: Finding
  readonly marker: string
  readonly url: string | undefined
  readonly suggestion: Suggestion | undefined
  readonly kind: ForgeKind
}

/** A comment on the line of a finding. */
export function formatComment({ finding, marker, url, suggestion, kind }: CommentInput): string {
  const { severity, confidence, title, message, fix, ruleId, cwe } = finding
  const steps = formatFlow(finding.flow)
  const text = truncate(
    [
      `**${NAMES[severity]}: ${formatProse(title)}** (${confidence} confidence, ${formatCode(ruleId)}, CWE-${cwe})`,
      formatProse(message),
      ...(steps === '' ? [] : [steps]),
      `**Fix:** ${formatProse(fix)}`,
      ...(suggestion ? [formatSuggestion(suggestion, finding.line, kind)] : []),
      ...(url === undefined ? [] : [`${formatLink('Details and verdict in Cowrie', url)} · ${REPLY_HINT}`]),
    ].join('\n\n'),
    kind,
  )
  return withMarker(text, marker, kind)
}

const REPLY_HINT = 'Reply with `@cowrie explain`, `@cowrie dismiss` and a reason, or `@cowrie re-check`.'

/** The steps of a data flow as a list; empty when there are none. */
export const formatFlow = (flow: Finding['flow']): string =>
  flow
    .slice(0, FLOW_MAX)
    .map(({ path, at, what }) => `- ${formatCode(`${path}:${at.line}`)} ${formatProse(what)}`)
    .join('\n')

/** The address is ours. */
export const formatLink = (text: string, url: string): string => `[${escapeProse(text)}](${encodeURI(url)})`

export function formatAnnotation(finding: Finding, url?: string): CheckAnnotation {
  const { path, line, endLine, severity, title, message, fix, ruleId } = finding
  return {
    path,
    start_line: line,
    end_line: Math.max(line, endLine),
    annotation_level: LEVELS[severity],
    title: toOneLine(`${title} (${ruleId})`).slice(0, 255),
    message: `${toOneLine(`${message} Fix: ${fix}`)}${url === undefined ? '' : ` Details: ${encodeURI(url)}`}`,
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
  readonly links: DetailLinks
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

export function formatSummary(summary: ReviewSummary, kind: ForgeKind): string {
  const { headSha, findings, files, notReviewed, notes, problem, links } = summary
  const listed = findings.slice(0, LISTED_MAX).map((finding) => formatListed(finding, links))
  const more = findings.length - listed.length
  return truncate(
    [
      `Commit ${formatCode(headSha.slice(0, 12))}: ${files} ${files === 1 ? 'file' : 'files'} reviewed, ${formatTitle(summary).toLowerCase()}.`,
      ...(problem === null ? [] : [formatProse(problem)]),
      ...(listed.length > 0 ? [listed.join('\n')] : []),
      ...(more > 0 ? [`And ${more} more. The list of findings in Cowrie shows all of them.`] : []),
      ...(notReviewed.length > 0 ? [formatUnreviewed(notReviewed)] : []),
      ...notes.map(formatProse),
      formatLink('Open the review in Cowrie', links.run),
    ].join('\n\n'),
    kind,
  )
}

function formatListed({ severity, title, path, line, fingerprint }: Finding, links: DetailLinks): string {
  const url = links.finding(fingerprint)
  const details = url === undefined ? '' : ` (${formatLink('details', url)})`
  return `- ${NAMES[severity]}: ${formatProse(title)} in ${formatCode(`${path}:${line}`)}${details}`
}

const UNREVIEWED_MAX = 20

function formatUnreviewed(notReviewed: ReviewSummary['notReviewed']): string {
  const named = notReviewed
    .slice(0, UNREVIEWED_MAX)
    .map(({ path, reason }) => `- ${formatCode(path)}: ${escapeProse(reason.replaceAll('_', ' '))}`)
  const more = notReviewed.length - named.length
  return [`Not reviewed:`, ...named, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

const truncate = (text: string, kind: ForgeKind): string =>
  text.length > TEXT_MAX[kind] ? `${text.slice(0, TEXT_MAX[kind])}…` : text
