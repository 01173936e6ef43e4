// Builds the report as a list of blocks, independent of its format: statements, evidence and open points.
import { isRightToLeft } from '../../platform/texts/codes-in-text.ts'
import { directionOf, type Language } from '../../platform/texts/language.ts'
import { type Writer, writerIn } from '../../platform/texts/texts.ts'
import { type FindingConflict, findConflicts } from '../evidence/coverage.ts'
import type { Depth, ReportSource, ResearchFinding, ResearchPlan, ResearchStopReason } from '../types.ts'
import { type CitedText, type ReportBlock, toReportBlocks } from './draft-blocks.ts'
import { questionLanguage } from './question-language.ts'
import { DEPTH_TEXTS, reasonText, STOP_REASON_TEXTS } from './reason-texts.ts'
import { listSource, separated } from './source-format.ts'
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
  readonly language: Language
  readonly direction: 'ltr' | 'rtl'
  readonly parts: readonly ReportBlock[]
  readonly cited: readonly ResearchFinding[]
}

export function buildDocument(report: ReportContent): ReportDocument {
  const { subquestions } = report.plan
  const language = reportLanguage(report.question, report.plan)
  const t = writerIn(language)
  const read = new Set(report.sources.filter(({ status }) => status === 'read').map(({ n }) => n))
  // A finding without a listed source cannot be cited, so it is dropped.
  const findings = report.findings
    .map((finding) => ({ ...finding, sources: finding.sources.filter((n) => read.has(n)) }))
    .filter(({ sources }) => sources.length > 0)
  const conflicts = findConflicts(findings)
  const written = report.verified
    ? toReportBlocks(report.verified, findings, t('Answer'))
    : { parts: [], ids: [] }
  const unwritten = subquestions.flatMap((_, sub) => {
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
    ...buildNote(t, report, cited),
    ...written.parts,
    ...(findings.length === 0 ? nothingVerified(t) : listFindingsBySubquestion(report.plan, unwritten)),
    ...buildConflictSection(t, conflicts),
    ...buildOpenSection(t, report.plan, findings),
    ...buildReferences(language, report.sources, cited),
    ...buildEvidence(t, cited),
    ...buildUncited(language, report.sources, cited),
  ]
  const title = report.question.replace(/\s+/g, ' ').trim()
  // A question in another language may be written from right to left too.
  const direction = isRightToLeft(title) ? 'rtl' : directionOf(language)
  return { title, language, direction, parts, cited }
}

/** That of the question. If the question has no common words, its plan decides. */
export function reportLanguage(question: string, { subquestions }: ResearchPlan): Language {
  const planned = subquestions.map((each) => each.question).join('\n')
  return questionLanguage(question) ?? questionLanguage(planned) ?? 'en'
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
  t: Writer,
  { askedOn, depth, searchWeb = true, sources, stopReason, verified }: ReportContent,
  cited: readonly ResearchFinding[],
): ReportBlock[] {
  const count = (status: ReportSource['status']) =>
    String(sources.filter((each) => each.status === status).length)
  const numbers = new Set(cited.flatMap((finding) => finding.sources))
  const left = verified?.unsupported.length ?? 0
  const stopped = STOP_REASON_TEXTS[stopReason]
  return [
    paragraph(
      t(DEPTH_TEXTS[depth], { date: askedOn }),
      searchWeb ? '' : t('Only the given sources were read, not the web.'),
      t('Pages: {read} read, {cited} of them cited; {failed} could not be read; {skipped} skipped.', {
        read: count('read'),
        cited: String(numbers.size),
        failed: count('failed'),
        skipped: count('skipped'),
      }),
      t('Each statement was checked against the passage it cites; the page itself may still be wrong.'),
    ),
    ...(stopped ? [paragraph(t(stopped))] : []),
    ...(left > 0
      ? [
          paragraph(
            t('Statements left out of the draft because their citations do not support them: {count}.', {
              count: String(left),
            }),
          ),
        ]
      : []),
  ]
}

const nothingVerified = (t: Writer): readonly ReportBlock[] => [
  heading(t('Answer')),
  paragraph(t('Nothing could be verified: no page that was read answers the question.')),
]

const readOn = (t: Writer, { fetchedAt }: ReportSource): string =>
  fetchedAt ? t('read on {date}', { date: fetchedAt.toISOString().slice(0, 10) }) : t('read')

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

function buildConflictSection(t: Writer, conflicts: readonly FindingConflict[]): ReportBlock[] {
  if (conflicts.length === 0) return []
  const items = conflicts.map(({ one, other }) => [
    line(one.claim, one.sources),
    line(t('Another source says:')),
    line(other.claim, other.sources),
  ])
  return [heading(t('Points on which the sources disagree')), { kind: 'list', isOrdered: false, items }]
}

function buildOpenSection(
  t: Writer,
  { subquestions }: ResearchPlan,
  findings: readonly ResearchFinding[],
): ReportBlock[] {
  const open = subquestions.filter((_, sub) => !findings.some((finding) => finding.sub === sub))
  if (open.length === 0) return []
  const items = open.map(({ question }) => [line(question)])
  return [heading(t('Not established')), { kind: 'list', isOrdered: false, items }]
}

const isCited = (source: ReportSource, cited: readonly ResearchFinding[]): boolean =>
  cited.some(({ sources }) => sources.includes(source.n))

function buildReferences(
  language: Language,
  sources: readonly ReportSource[],
  cited: readonly ResearchFinding[],
): ReportBlock[] {
  const own = sources.filter((source) => isCited(source, cited)).toSorted((one, other) => one.n - other.n)
  const t = writerIn(language)
  const listed = own.map((source) =>
    listSource(language, source, separated(language, ',', readOn(t, source))),
  )
  return own.length === 0 ? [] : [heading(t('References')), { kind: 'references', sources: listed }]
}

function buildEvidence(t: Writer, cited: readonly ResearchFinding[]): ReportBlock[] {
  if (cited.length === 0) return []
  const entries = cited.flatMap(({ claim, quote, sources }): ReportBlock[] => [
    { kind: 'paragraph', lines: [line(claim, sources)] },
    { kind: 'quote', text: quote },
  ])
  return [heading(t('Evidence')), ...entries]
}

function buildUncited(
  language: Language,
  sources: readonly ReportSource[],
  cited: readonly ResearchFinding[],
): ReportBlock[] {
  const t = writerIn(language)
  const listed = (title: string, status: ReportSource['status']): ReportBlock[] => {
    const own = sources
      .filter((source) => source.status === status && !isCited(source, cited))
      .toSorted((one, other) => one.n - other.n)
      .map((source) => {
        const note = status === 'read' ? '' : separated(language, ';', reasonText(t, source.reason))
        return listSource(language, source, note)
      })
    return own.length === 0 ? [] : [heading(title), { kind: 'sources', sources: own }]
  }
  return [
    ...listed(t('Read but not cited'), 'read'),
    ...listed(t('Could not be read'), 'failed'),
    ...listed(t('Found but not read'), 'skipped'),
  ]
}
