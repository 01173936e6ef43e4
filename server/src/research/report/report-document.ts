// Builds the report as a list of blocks, independent of its format: statements, evidence and open points.
import { type FindingConflict, findConflicts } from '../evidence/coverage.ts'
import type { Depth, ReportSource, ResearchFinding, ResearchPlan, ResearchStopReason } from '../types.ts'
import { type CitedText, type ReportBlock, toReportBlocks } from './draft-blocks.ts'
import { DEPTH_TEXTS, reasonText, STOP_REASON_TEXTS } from './reason-texts.ts'
import type { VerifiedReport } from './verify-draft.ts'

export type ReportContent = {
  readonly question: string
  /** YYYY-MM-DD. */
  readonly askedOn: string
  readonly depth: Depth
  /** False if only own documents and known pages were read. */
  readonly searchWeb?: boolean
  readonly plan: ResearchPlan
  /** Null if no model wrote a draft. The report then lists the findings. */
  readonly verified: VerifiedReport | null
  readonly findings: readonly ResearchFinding[]
  readonly sources: readonly ReportSource[]
  readonly stopReason: ResearchStopReason
}

export type ReportDocument = {
  readonly title: string
  readonly parts: readonly ReportBlock[]
  readonly cited: readonly ResearchFinding[]
}

export function buildDocument(report: ReportContent): ReportDocument {
  const read = new Set(report.sources.filter(({ status }) => status === 'read').map(({ n }) => n))
  // A finding without a listed source cannot be cited, so it is dropped.
  const findings = report.findings
    .map((finding) => ({ ...finding, sources: finding.sources.filter((n) => read.has(n)) }))
    .filter(({ sources }) => sources.length > 0)
  const conflicts = findConflicts(findings)
  const written = report.verified ? toReportBlocks(report.verified, findings) : { parts: [], ids: [] }
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
    ...buildNote(report, cited),
    ...written.parts,
    ...(findings.length === 0 ? NOTHING_VERIFIED : listFindingsBySubquestion(report.plan, unwritten)),
    ...buildConflictSection(conflicts),
    ...buildOpenSection(report.plan, findings),
    ...buildReferences(report.sources, cited),
    ...buildEvidence(cited),
    ...buildUncited(report.sources, cited),
  ]
  return { title: report.question.replace(/\s+/g, ' ').trim(), parts, cited }
}

const line = (text: string, cites: readonly number[] = []): CitedText => ({ text, cites })
const paragraph = (...texts: string[]): ReportBlock => ({
  kind: 'paragraph',
  lines: texts.filter((text) => text !== '').map((text) => line(text)),
})
const heading = (text: string, level: 2 | 3 = 2): ReportBlock => ({ kind: 'heading', level, text })
const claims = (findings: readonly ResearchFinding[]): ReportBlock => ({
  kind: 'list',
  isOrdered: false,
  items: findings.map(({ claim, sources }) => [line(claim, sources)]),
})

function buildNote(
  { askedOn, depth, searchWeb = true, sources, stopReason, verified }: ReportContent,
  cited: readonly ResearchFinding[],
): ReportBlock[] {
  const count = (status: ReportSource['status']) => sources.filter((each) => each.status === status).length
  const numbers = new Set(cited.flatMap((finding) => finding.sources))
  const left = verified?.unsupported.length ?? 0
  return [
    paragraph(
      `Written by a program on ${askedOn} after ${DEPTH_TEXTS[depth]} ${searchWeb ? 'the web' : 'the given sources'}.`,
      `${pages(count('read'))} read, of which ${numbers.size} ${numbers.size === 1 ? 'is' : 'are'} cited;`,
      `${count('failed')} could not be read and ${count('skipped')} ${count('skipped') === 1 ? 'was' : 'were'} skipped.`,
      'Each statement was checked against the passage it cites; the page itself may still be wrong.',
    ),
    ...(STOP_REASON_TEXTS[stopReason] ? [paragraph(STOP_REASON_TEXTS[stopReason])] : []),
    ...(left > 0
      ? [
          paragraph(
            `Of the draft, ${left} ${left === 1 ? 'statement was' : 'statements were'} left out because their citations do not support them.`,
          ),
        ]
      : []),
  ]
}

const pages = (count: number): string => (count === 1 ? '1 page was' : `${count} pages were`)

const NOTHING_VERIFIED: readonly ReportBlock[] = [
  heading('Answer'),
  paragraph('Nothing could be verified: no page that was read answers the question.'),
]

/** Lists findings by subquestion. */
function listFindingsBySubquestion(
  { subquestions }: ResearchPlan,
  findings: readonly ResearchFinding[],
): ReportBlock[] {
  return subquestions.flatMap(({ question }, sub) => {
    const own = findings.filter((finding) => finding.sub === sub)
    return own.length === 0 ? [] : [heading(question), claims(own)]
  })
}

function buildConflictSection(conflicts: readonly FindingConflict[]): ReportBlock[] {
  if (conflicts.length === 0) return []
  const items = conflicts.map(({ one, other }) => [
    line(one.claim, one.sources),
    line('Another source says:'),
    line(other.claim, other.sources),
  ])
  return [heading('Points on which the sources disagree'), { kind: 'list', isOrdered: false, items }]
}

function buildOpenSection(
  { subquestions }: ResearchPlan,
  findings: readonly ResearchFinding[],
): ReportBlock[] {
  const open = subquestions.filter((_, sub) => !findings.some((finding) => finding.sub === sub))
  if (open.length === 0) return []
  const items = open.map(({ question }) => [line(question)])
  return [heading('Not established'), { kind: 'list', isOrdered: false, items }]
}

const isCited = (source: ReportSource, cited: readonly ResearchFinding[]): boolean =>
  cited.some(({ sources }) => sources.includes(source.n))

function buildReferences(sources: readonly ReportSource[], cited: readonly ResearchFinding[]): ReportBlock[] {
  const own = sources.filter((source) => isCited(source, cited)).toSorted((one, other) => one.n - other.n)
  return own.length === 0 ? [] : [heading('References'), { kind: 'references', sources: own }]
}

function buildEvidence(cited: readonly ResearchFinding[]): ReportBlock[] {
  if (cited.length === 0) return []
  const entries = cited.flatMap(({ claim, quote, sources }): ReportBlock[] => [
    { kind: 'paragraph', lines: [line(claim, sources)] },
    { kind: 'quote', text: quote },
  ])
  return [heading('Evidence'), ...entries]
}

function buildUncited(sources: readonly ReportSource[], cited: readonly ResearchFinding[]): ReportBlock[] {
  const listed = (title: string, status: ReportSource['status']): ReportBlock[] => {
    const own = sources
      .filter((source) => source.status === status && !isCited(source, cited))
      .toSorted((one, other) => one.n - other.n)
      .map((source) => ({ source, note: status === 'read' ? '' : reasonText(source.reason) }))
    return own.length === 0 ? [] : [heading(title), { kind: 'sources', sources: own }]
  }
  return [
    ...listed('Read but not cited', 'read'),
    ...listed('Could not be read', 'failed'),
    ...listed('Found but not read', 'skipped'),
  ]
}
