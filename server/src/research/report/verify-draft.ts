// Verifies every sentence of a draft against the findings it cites. Unsupported sentences get a reason, may be
// repaired once, and are otherwise dropped.

import { LANGUAGE_CODES } from '../../platform/texts/language.ts'
import { say } from '../../platform/texts/texts.ts'
import {
  type ClaimEvidence,
  findNames,
  findObjection,
  isComparable,
  isRelated,
  type Objection,
} from '../evidence/check-claim.ts'
import { hasFigures } from '../evidence/figures.ts'
import { memoizeByText, type TokenizedText, tokenize, tokensOf } from '../evidence/tokens.ts'
import { countUnsupportedWords } from '../evidence/unsupported-words.ts'
import { contentStems, isNegation, isSuperlative } from '../evidence/word-lists.ts'
import { detectLanguage } from '../reading/language.ts'
import { splitSentences } from '../reading/sentences.ts'
import type { ResearchFinding, ResearchPlan } from '../types.ts'
import { collectEvidence, type DraftBlock, parseDraft } from './parse-draft.ts'

export type UnsupportedReason =
  | 'no_citation'
  | 'unknown_citation'
  | 'not_in_finding'
  | 'number'
  | 'name'
  | 'negation'
  | 'direction'

/** A sentence without citations, and the ids of the supporting findings; none for a transition. */
export type SupportedSentence = { readonly text: string; readonly ids: readonly string[] }
/** A sentence as written, with the reason why it is unsupported. */
export type UnsupportedSentence = { readonly text: string; readonly reason: UnsupportedReason }
/** A supported sentence, or the index of an unsupported one. */
export type DraftSentence = SupportedSentence | { readonly unsupported: number }

export type VerifiedBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly sentences: readonly DraftSentence[] }
  | {
      readonly kind: 'list'
      readonly isOrdered: boolean
      readonly items: readonly (readonly DraftSentence[])[]
    }
  /** A row is supported as a whole. Its citations are in the last cell. */
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly VerifiedRow[] }
export type VerifiedRow = { readonly cells: readonly string[]; readonly ids: readonly string[] }

export type VerifiedReport = {
  readonly blocks: readonly VerifiedBlock[]
  /** In report order. */
  readonly unsupported: readonly UnsupportedSentence[]
  /** Sentences that lost some of their citations. */
  readonly corrected: readonly { readonly text: string; readonly removed: readonly string[] }[]
}

type CheckedSentence = SupportedSentence & { readonly removed: readonly string[] }

export function verifyDraft(
  markdown: string,
  findings: readonly ResearchFinding[],
  plan: ResearchPlan,
): VerifiedReport {
  const check = createChecker(findings, plan)
  const unsupported: UnsupportedSentence[] = []
  const corrected: { text: string; removed: readonly string[] }[] = []
  const judge = (written: string): DraftSentence => {
    const checked = check(written)
    if ('reason' in checked) return { unsupported: unsupported.push(checked) - 1 }
    if (checked.removed.length > 0) corrected.push({ text: checked.text, removed: checked.removed })
    return { text: checked.text, ids: checked.ids }
  }
  const judged = (text: string) => splitDraftSentences(text).map(judge)
  const blocks = parseDraft(markdown, check.evidence).flatMap((block): VerifiedBlock[] => {
    if (block.kind === 'paragraph') return [{ kind: 'paragraph', sentences: judged(block.text) }]
    if (block.kind === 'list') return [{ ...block, items: block.items.map(judged) }]
    if (block.kind === 'heading')
      return check.isHeading(block.text) ? [{ ...block, text: withoutCitations(block.text) }] : []
    if (block.head.every(check.isHeading)) return [verifyTable(block, judge)]
    unsupported.push({ text: block.head.join(' ; '), reason: 'not_in_finding' })
    // Its rows may still be supported.
    return [{ kind: 'list', isOrdered: false, items: block.rows.map((cells) => [judge(cells.join(' ; '))]) }]
  })
  return { blocks, unsupported, corrected }
}

/**
 * Inserts repaired sentences that are supported now, by the index of the unsupported sentence. The others stay
 * unsupported.
 */
export function applyRepairs(
  verified: VerifiedReport,
  repairs: ReadonlyMap<number, string>,
  findings: readonly ResearchFinding[],
  plan: ResearchPlan,
): VerifiedReport {
  const check = createChecker(findings, plan)
  const placed = new Set(
    verified.blocks.flatMap(listSentences).map((each) => ('unsupported' in each ? each.unsupported : -1)),
  )
  const mended = new Map<number, readonly SupportedSentence[]>()
  for (const [number, text] of repairs) {
    const written = parseDraft(text, check.evidence).flatMap((block) =>
      block.kind === 'paragraph' ? splitDraftSentences(block.text) : [],
    )
    const kept = written
      .map(check)
      .flatMap((each) => ('reason' in each || each.ids.length === 0 ? [] : [each]))
    if (kept.length > 0 && placed.has(number))
      mended.set(
        number,
        kept.map(({ text: plain, ids }) => ({ text: plain, ids })),
      )
  }
  const left = verified.unsupported.flatMap((_, number) => (mended.has(number) ? [] : [number]))
  const moved = new Map(left.map((number, at) => [number, at]))
  const mend = (sentence: DraftSentence): readonly DraftSentence[] => {
    if (!('unsupported' in sentence)) return [sentence]
    return mended.get(sentence.unsupported) ?? [{ unsupported: moved.get(sentence.unsupported) ?? -1 }]
  }
  return {
    ...verified,
    unsupported: left.flatMap((number) => verified.unsupported[number] ?? []),
    blocks: verified.blocks.map((block) => {
      if (block.kind === 'paragraph') return { ...block, sentences: block.sentences.flatMap(mend) }
      if (block.kind === 'list') return { ...block, items: block.items.map((item) => item.flatMap(mend)) }
      return block
    }),
  }
}

const listSentences = (block: VerifiedBlock): readonly DraftSentence[] => {
  if (block.kind === 'paragraph') return block.sentences
  return block.kind === 'list' ? block.items.flat() : []
}

/** Whether any sentence is supported by a citation. */
export function hasSupportedCitation({ blocks }: VerifiedReport): boolean {
  const isCited = (sentence: DraftSentence) => 'ids' in sentence && sentence.ids.length > 0
  return blocks.some((block) =>
    block.kind === 'table'
      ? block.rows.some(({ ids }) => ids.length > 0)
      : listSentences(block).some(isCited),
  )
}

function verifyTable(
  block: DraftBlock & { kind: 'table' },
  judge: (written: string) => DraftSentence,
): VerifiedBlock {
  const rows = block.rows.flatMap((cells): VerifiedRow[] => {
    const sentence = judge(cells.join(' ; '))
    return 'unsupported' in sentence || sentence.ids.length === 0
      ? []
      : [{ cells: cells.map(withoutCitations), ids: sentence.ids }]
  })
  return { kind: 'table', head: block.head.map(withoutCitations), rows }
}

/** A sentence that names an open point. */
export function isOpenPoint(text: string): boolean {
  const start = text.toLowerCase()
  return OPEN_POINTS.some((words) => start.startsWith(words) && /^\s?[:：]/.test(start.slice(words.length)))
}
const OPEN_POINTS = LANGUAGE_CODES.map((language) => say(language, 'Not established').toLowerCase())

const CITATION = /\[\s?\^?F\d{1,5}(?:\s?[,;&]\s?\^?F\d{1,5}){0,20}\s?\]/gi
const CITED_AFTER_END = new RegExp(
  String.raw`([.!?؟。…]{1,4}["'”’»)]{0,3})\s?((?:${CITATION.source}\s?){1,20})`,
  'gi',
)

/** Splits a block into sentences. A citation after the full stop belongs to the sentence before it. */
function splitDraftSentences(text: string): string[] {
  const inside = text.replace(
    CITED_AFTER_END,
    (_, end: string, citations: string) => ` ${citations.trim()}${end} `,
  )
  return (
    splitSentences(inside)
      .map(({ start, end }) => inside.slice(start, end))
      // A single word is a remainder of removed content.
      .filter((sentence) => tokensOf(withoutCitations(sentence)).length > 1)
  )
}

const findCitedIds = (written: string): string[] => {
  const ids = Array.from(written.matchAll(CITATION)).flatMap(([group]) => group.match(/F\d{1,5}/gi) ?? [])
  return Array.from(new Set(ids.map((id) => `F${Number(id.slice(1))}`)))
}

const withoutCitations = (written: string): string =>
  written
    .replace(CITATION, '')
    .replace(/\s+/g, ' ')
    .replace(/\s(?=[.,;:!?،؛؟。](?:\s|$))/g, '')
    .trim()

/** Words about the report itself, or that fit every subject. */
const REPORT_WORDS = tokenize(
  `short answer summary overview conclusion key main findings points background introduction details section report
  question evidence sources source following below above overall further results comparison caveats limitations
  context next see table list not established réponse courte résumé résultats conclusion aspect aspects category change
  company cost costs country data date definition description effect effects example examples factor factors feature
  features figure figures growth history impact issue issues item items kind level limits location measure metric name
  note notes number numbers option options organisation period place places price prices reason reasons role scope
  status step steps topic total trend trends type types unit use uses value values year years open unknown known
  non établi jibu fupi haijathibitishwa الجواب المختصر لم يثبت agree agreed disagree disagreement uncertainty uncertainties contexte coûts année source prix nombre pays
  resumo resposta curta conclusão custos ano fonte país`,
)
const REPORT_STEMS = contentStems(REPORT_WORDS.tokens)

/** A heading names a topic and states nothing. */
const HEADING_WORDS_MAX = 24
const INTRODUCTION_WORDS_MAX = 12
const SHARED_MIN = 2
/** Citations of one sentence; further ones are ignored. */
const CITED_MAX = 20
/** An open point repeats the question, with at most this many other words. */
const OPEN_POINT_WORDS_MAX = 2

function createChecker(findings: readonly ResearchFinding[], plan: ResearchPlan) {
  const byId = new Map(
    findings.map((finding) => [finding.id, tokenize(`${finding.claim}\n\n${finding.quote}`)]),
  )
  const questions = tokenize(plan.subquestions.map(({ question }) => question).join('\n'))
  const everything = [
    REPORT_WORDS,
    questions,
    tokenize(Array.from(byId.values(), ({ text }) => text).join('\n')),
  ]
  const language = detectLanguage(questions.text, null)
  const ownIn = (words: TokenizedText) => countUnsupportedWords(words, everything)

  /** A sentence that introduces or refers, and states nothing. It needs no citation. */
  const isTransition = (words: TokenizedText): boolean => {
    const { text, tokens } = words
    // An open point claims nothing if it only repeats the question.
    if (isOpenPoint(text)) return ownIn(words) <= OPEN_POINT_WORDS_MAX && hasFigures(words, everything)
    if (contentStems(tokens).isSubsetOf(REPORT_STEMS))
      return tokens.every((each) => each.kind !== 'number' && !isNegation(each))
    const isPlain =
      findNames(words).length === 0 && !tokens.some((each) => isNegation(each) || isSuperlative(each))
    const isShort = tokens.length <= INTRODUCTION_WORDS_MAX && tokens.every(({ kind }) => kind !== 'number')
    return /[:：]$/.test(text) && isShort && isPlain && ownIn(words) === 0
  }

  const check = (written: string): CheckedSentence | UnsupportedSentence => {
    const words = tokenize(withoutCitations(written))
    const { text } = words
    const ids = findCitedIds(written)
    const cited = ids.slice(0, CITED_MAX).flatMap((id) => {
      const finding = byId.get(id)
      return finding ? [{ id, finding }] : []
    })
    const holding = cited.filter(({ finding }) => isAbout(words, [finding]))
    const kept = { text, ids: holding.map(({ id }) => id) }
    const removed = ids.filter((id) => !kept.ids.includes(id))
    if (isTransition(words)) return { ...kept, removed }
    if (ids.length === 0) return { text: written, reason: 'no_citation' }
    if (cited.length === 0) return { text: written, reason: 'unknown_citation' }
    if (holding.length === 0) return { text: written, reason: 'not_in_finding' }
    const evidence = toEvidence(
      holding.map(({ finding }) => finding),
      questions,
      language,
    )
    const reason = toReason(findObjection(words, evidence, { sharedMin: SHARED_MIN }))
    return reason ? { text: written, reason } : { ...kept, removed }
  }

  /** Only known words, and no negation unless the question has one. */
  const isHeading = (text: string): boolean => {
    const words = tokenize(text)
    if (words.tokens.length > HEADING_WORDS_MAX || !hasFigures(words, everything)) return false
    const isOrdinary = contentStems(words.tokens).isSubsetOf(REPORT_STEMS)
    const isDenied = words.tokens.some(isNegation) && !isOrdinary && !questions.tokens.some(isNegation)
    return !isDenied && ownIn(words) === 0
  }
  const evidence = collectEvidence(everything.map(({ text }) => text).join('\n'))
  return Object.assign(check, { isHeading, evidence })
}

/** Words of different scripts cannot be compared; figures can. */
const isAbout = (sentence: TokenizedText, finding: readonly TokenizedText[]): boolean =>
  !isComparable(sentence, finding) || isRelated(sentence, finding, SHARED_MIN)

function toEvidence(
  findings: readonly TokenizedText[],
  questions: TokenizedText,
  language: string | null,
): ClaimEvidence {
  const isForeign = (finding: TokenizedText) => {
    const other = languageOfText(finding)
    return language !== null && other !== null && other !== language
  }
  return { text: findings, sentences: findings, context: [questions], isForeign: findings.every(isForeign) }
}

const languageOfText = memoizeByText(({ text }) => detectLanguage(text, null))

/** Null without an objection, and for another script, where only figures can be compared. */
function toReason(objection: Objection | null): UnsupportedReason | null {
  if (objection === null || objection === 'script') return null
  return objection === 'unrelated' || objection === 'addition' ? 'not_in_finding' : objection
}
