// The report as a list of parts, before it is markdown or a page: what is said, what it rests on, and what is missing.
import { type Conflict, disagreements } from '../citing/coverage.ts'
import type { Depth, Finding, ListedSource, Plan, StopReason } from '../terms.ts'
import { DEPTH_IN_WORDS, reasonInWords, STOPPED } from './reasons.ts'
import type { Verified } from './verify.ts'
import { writtenParts } from './written.ts'

/** A piece of text and the numbers of the sources that it rests on. */
export type Line = { readonly text: string; readonly cites: readonly number[] }

export type Part =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string }
  | { readonly kind: 'paragraph'; readonly lines: readonly Line[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Line[])[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly TableRow[] }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'references'; readonly sources: readonly ListedSource[] }
  | { readonly kind: 'sources'; readonly sources: readonly { source: ListedSource; note: string }[] }
export type TableRow = { readonly cells: readonly string[]; readonly cites: readonly number[] }

export type Report = {
  readonly question: string
  /** YYYY-MM-DD. */
  readonly askedOn: string
  readonly depth: Depth
  readonly plan: Plan
  /** Null when nobody wrote a text: the findings then speak for themselves. */
  readonly verified: Verified | null
  readonly findings: readonly Finding[]
  readonly sources: readonly ListedSource[]
  readonly stopReason: StopReason
}

export type Document = {
  readonly title: string
  readonly parts: readonly Part[]
  readonly cited: readonly Finding[]
}

export function documentOf(report: Report): Document {
  const read = new Set(report.sources.filter(({ status }) => status === 'read').map(({ n }) => n))
  // What no listed source says cannot be cited, so it is not said.
  const findings = report.findings
    .map((finding) => ({ ...finding, sources: finding.sources.filter((n) => read.has(n)) }))
    .filter(({ sources }) => sources.length > 0)
  const conflicts = disagreements(findings)
  const written = report.verified ? writtenParts(report.verified, findings) : { parts: [], ids: [] }
  const unwritten = report.plan.subquestions.flatMap((_, sub) => {
    const own = findings.filter((finding) => finding.sub === sub)
    return own.some(({ id }) => written.ids.includes(id)) ? [] : own
  })
  const ids = new Set([
    ...written.ids,
    ...unwritten.map(({ id }) => id),
    ...conflicts.flatMap(({ one, other }) => [one.id, other.id]),
  ])
  const cited = findings.filter(({ id }) => ids.has(id))
  const parts = [
    ...note(report, cited),
    ...written.parts,
    ...(findings.length === 0 ? nothingVerified : plainSections(report.plan, unwritten)),
    ...disagreement(conflicts),
    ...notEstablished(report.plan, findings),
    ...references(report.sources, cited),
    ...evidence(cited),
    ...uncited(report.sources, cited),
  ]
  return { title: report.question.replace(/\s+/g, ' ').trim(), parts, cited }
}

const line = (text: string, cites: readonly number[] = []): Line => ({ text, cites })
const paragraph = (...texts: string[]): Part => ({
  kind: 'paragraph',
  lines: texts.filter((text) => text !== '').map((text) => line(text)),
})
const heading = (text: string, level: 2 | 3 = 2): Part => ({ kind: 'heading', level, text })
const claims = (findings: readonly Finding[]): Part => ({
  kind: 'list',
  isOrdered: false,
  items: findings.map(({ claim, sources }) => [line(claim, sources)]),
})

function note({ askedOn, depth, sources, stopReason, verified }: Report, cited: readonly Finding[]): Part[] {
  const count = (status: ListedSource['status']) => sources.filter((each) => each.status === status).length
  const numbers = new Set(cited.flatMap((finding) => finding.sources))
  const left = verified?.unsupported.length ?? 0
  return [
    paragraph(
      `Written by a program on ${askedOn} after ${DEPTH_IN_WORDS[depth]} the web.`,
      `${pages(count('read'))} read, of which ${numbers.size} ${numbers.size === 1 ? 'is' : 'are'} cited;`,
      `${count('failed')} could not be read and ${count('skipped')} ${count('skipped') === 1 ? 'was' : 'were'} left aside.`,
      'Each statement was compared with the passage that it cites; what a page says may still be wrong.',
    ),
    ...(STOPPED[stopReason] ? [paragraph(STOPPED[stopReason])] : []),
    ...(left > 0
      ? [
          paragraph(
            `Of the draft, ${left} ${left === 1 ? 'statement was' : 'statements were'} left out: their citations did not bear them out.`,
          ),
        ]
      : []),
  ]
}

const pages = (count: number): string => (count === 1 ? '1 page was' : `${count} pages were`)

const nothingVerified: readonly Part[] = [
  heading('Answer'),
  paragraph('Nothing could be verified: no page that was read has a passage that answers the question.'),
]

/** Findings by the part of the question they belong to, as they are. */
function plainSections({ subquestions }: Plan, findings: readonly Finding[]): Part[] {
  return subquestions.flatMap(({ question }, sub) => {
    const own = findings.filter((finding) => finding.sub === sub)
    return own.length === 0 ? [] : [heading(question), claims(own)]
  })
}

function disagreement(conflicts: readonly Conflict[]): Part[] {
  if (conflicts.length === 0) return []
  const items = conflicts.map(({ one, other }) => [
    line(one.claim, one.sources),
    line('Another source has:'),
    line(other.claim, other.sources),
  ])
  return [heading('What the sources disagree on'), { kind: 'list', isOrdered: false, items }]
}

function notEstablished({ subquestions }: Plan, findings: readonly Finding[]): Part[] {
  const open = subquestions.filter((_, sub) => !findings.some((finding) => finding.sub === sub))
  if (open.length === 0) return []
  const items = open.map(({ question }) => [line(question)])
  return [heading('Not established'), { kind: 'list', isOrdered: false, items }]
}

const isCited = (source: ListedSource, cited: readonly Finding[]): boolean =>
  cited.some(({ sources }) => sources.includes(source.n))

function references(sources: readonly ListedSource[], cited: readonly Finding[]): Part[] {
  const own = sources.filter((source) => isCited(source, cited)).toSorted((one, other) => one.n - other.n)
  return own.length === 0 ? [] : [heading('References'), { kind: 'references', sources: own }]
}

function evidence(cited: readonly Finding[]): Part[] {
  if (cited.length === 0) return []
  const entries = cited.flatMap(({ claim, quote, sources }): Part[] => [
    { kind: 'paragraph', lines: [line(claim, sources)] },
    { kind: 'quote', text: quote },
  ])
  return [heading('Evidence'), ...entries]
}

function uncited(sources: readonly ListedSource[], cited: readonly Finding[]): Part[] {
  const listed = (title: string, status: ListedSource['status']): Part[] => {
    const own = sources
      .filter((source) => source.status === status && !isCited(source, cited))
      .toSorted((one, other) => one.n - other.n)
      .map((source) => ({ source, note: status === 'read' ? '' : reasonInWords(source.reason) }))
    return own.length === 0 ? [] : [heading(title), { kind: 'sources', sources: own }]
  }
  return [
    ...listed('Read but not cited', 'read'),
    ...listed('Could not be read', 'failed'),
    ...listed('Found but not read', 'skipped'),
  ]
}
