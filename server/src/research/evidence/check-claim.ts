// Checks whether a text supports a statement, without understanding it: figures, dates and names occur in the text,
// nothing is negated or reversed, and both share a subject.

import { figuresOf, hasFigures, isMonth } from './figures.ts'
import { isCapital, memoizeByText, type TextToken, type TokenizedText } from './tokens.ts'
import { addsInformation } from './unsupported-words.ts'
import { contentStems, isDecrease, isIncrease, isNegation, isStopWord, stemOf } from './word-lists.ts'

export type ClaimEvidence = {
  /** Must contain the figures, dates and names. */
  readonly text: readonly TokenizedText[]
  /** The sentences that the statement rests on, for negations and direction. */
  readonly sentences: readonly TokenizedText[]
  /** May contain names as well: titles, headings, the question. */
  readonly context: readonly TokenizedText[]
  /** In another language than the question, so a statement shares few of its words. */
  readonly isForeign: boolean
}
export type Objection = 'script' | 'unrelated' | 'number' | 'name' | 'negation' | 'direction' | 'addition'

/** A longer text is not a sentence. */
const STATEMENT_MAX = 1_000

/** Returns the first objection to a statement, or null. Texts with `sharedMin` common words are related. */
export function findObjection(
  claim: TokenizedText,
  evidence: ClaimEvidence,
  { sharedMin }: { readonly sharedMin: number },
): Objection | null {
  const { text, sentences, context } = evidence
  if (claim.text.length > STATEMENT_MAX) return 'unrelated'
  if (!hasFigures(claim, text)) return 'number'
  // Words of two scripts cannot be compared; figures can.
  if (!isComparable(claim, text)) return 'script'
  if (!hasNames(claim, [...text, ...context])) return 'name'
  if (!isRelated(claim, sentences, sharedMin)) return 'unrelated'
  if (contradictsNegation(claim, sentences)) return 'negation'
  if (contradictsDirection(claim, sentences)) return 'direction'
  return !evidence.isForeign && addsInformation(claim, [...text, ...context]) ? 'addition' : null
}

/** Whether a statement shares enough significant words or numbers with the texts. Short statements must share all. */
export function isRelated(claim: TokenizedText, texts: readonly TokenizedText[], sharedMin: number): boolean {
  const points = pointsOf(claim)
  const shared = Array.from(points).filter((point) => texts.some((text) => pointsOf(text).has(point)))
  return shared.length >= Math.min(sharedMin, points.size)
}

const stemsOf = memoizeByText(({ tokens }) => contentStems(tokens))
const pointsOf = memoizeByText((words) => stemsOf(words).union(figuresOf(words)))

/** Names in a statement: capitalized words inside a sentence, and words with a capital after the first letter. */
export function findNames({ text, tokens }: TokenizedText): TextToken[] {
  return tokens.filter((token, at) => {
    if (token.kind !== 'word' || isStopWord(token) || isMonth(token)) return false
    if (/^.+\p{Lu}/u.test(text.slice(token.start, token.end))) return true
    const before = text.slice(Math.max(0, token.start - 8), token.start)
    const isFirst = at === 0 || /[.!?:。！？؟]["'”’»)\]]{0,2}\s+["'“‘«(]{0,2}$/.test(before)
    const next = tokens[at + 1]
    const isFullName = next?.kind === 'word' && isCapital(text, next) && !isStopWord(next)
    return isCapital(text, token) && (!isFirst || isFullName)
  })
}

const formsOf = memoizeByText(({ tokens }) => new Set(tokens.flatMap(({ norm }) => [norm, stemOf(norm)])))

const hasNames = (claim: TokenizedText, texts: readonly TokenizedText[]): boolean =>
  findNames(claim).every(({ norm }) =>
    texts.some((text) => formsOf(text).has(norm) || formsOf(text).has(stemOf(norm))),
  )

/** How many significant words a negation covers. */
const SCOPE = 3
/** Tokens after a negation that are searched for them. */
const REACH = 16

type Polarity = { readonly cues: number; readonly denied: Set<string>; readonly stated: Set<string> }

const polarityOf = memoizeByText((words): Polarity => {
  const { tokens } = words
  const cues = tokens.flatMap((token, at) =>
    isNegation(token) && !/^(?:only|just|least)$/.test(tokens[at + 1]?.norm ?? '') ? [at] : [],
  )
  const inScope = new Set(cues.flatMap((cue) => scopeOf(words, cue)))
  const isCue = new Set(cues)
  return {
    cues: cues.length,
    denied: contentStems(tokens.filter((_, at) => inScope.has(at))),
    stated: contentStems(tokens.filter((_, at) => !inScope.has(at) && !isCue.has(at))),
  }
})

/** Combines the polarity of several texts. */
const polarityOfAll = (texts: readonly TokenizedText[]): Polarity => {
  const all = texts.map(polarityOf)
  const [one] = all
  return one && all.length === 1
    ? one
    : {
        cues: all.reduce((sum, { cues }) => sum + cues, 0),
        denied: new Set(all.flatMap(({ denied }) => Array.from(denied))),
        stated: new Set(all.flatMap(({ stated }) => Array.from(stated))),
      }
}

/** The next significant words, up to the end of the clause. */
function scopeOf({ text, tokens }: TokenizedText, cue: number): number[] {
  const places: number[] = []
  for (let at = cue + 1; at <= cue + REACH && places.length < SCOPE; at++) {
    const [before, token] = [tokens[at - 1], tokens[at]]
    if (!before || !token || /[,;:.!?،؛。]/.test(text.slice(before.end, token.start))) break
    if (/^(?:but|mais|mas|sondern|لكن)$/.test(token.norm)) break
    if (!isStopWord(token)) places.push(at)
  }
  return places
}

/** Whether one text negates what the other states. */
function contradictsNegation(claim: TokenizedText, texts: readonly TokenizedText[]): boolean {
  const [ours, theirs] = [polarityOf(claim), polarityOfAll(texts)]
  if (ours.cues < theirs.cues) {
    const affirmed = Array.from(ours.stated).filter(
      (stem) => theirs.denied.has(stem) && !theirs.stated.has(stem),
    )
    if (affirmed.length > 0) return true
  }
  if (ours.cues === 0) return false
  if (theirs.cues === 0) return !hasOpposite(ours.denied, theirs.stated)
  const known = Array.from(ours.denied).filter((stem) => theirs.denied.has(stem) || theirs.stated.has(stem))
  return known.length > 1 && known.every((stem) => !theirs.denied.has(stem))
}

/** `impossible` states `not possible`, and `unused` states `not used`. */
const hasOpposite = (denied: ReadonlySet<string>, stated: ReadonlySet<string>): boolean =>
  Array.from(denied).some((stem) =>
    ['un', 'in', 'im', 'ir', 'il', 'dis', 'non'].some((no) => stated.has(no + stem)),
  )

const hasIncrease = memoizeByText(({ tokens }) => tokens.some(isIncrease))
const hasDecrease = memoizeByText(({ tokens }) => tokens.some(isDecrease))

function contradictsDirection(claim: TokenizedText, texts: readonly TokenizedText[]): boolean {
  const ours = { up: hasIncrease(claim), down: hasDecrease(claim) }
  const theirs = { up: texts.some(hasIncrease), down: texts.some(hasDecrease) }
  return (
    (ours.up && !ours.down && theirs.down && !theirs.up) ||
    (ours.down && !ours.up && theirs.up && !theirs.down)
  )
}

/** Whether a statement and one of the texts use the same script. */
export const isComparable = (claim: TokenizedText, texts: readonly TokenizedText[]): boolean =>
  texts.some((text) => scriptOf(text) === scriptOf(claim))

type WritingScript = 'latin' | 'arabic' | 'glyph' | 'other'

const scriptOf = memoizeByText(({ tokens }): WritingScript => {
  const counts: Record<WritingScript, number> = { latin: 0, arabic: 0, glyph: 0, other: 0 }
  for (const { kind, norm } of tokens.slice(0, 400)) {
    if (kind === 'glyph') counts.glyph += 1
    else if (/^\p{sc=Latin}/u.test(norm)) counts.latin += 1
    else if (/^\p{sc=Arabic}/u.test(norm)) counts.arabic += 1
    else if (kind === 'word') counts.other += 1
  }
  const most = Math.max(...Object.values(counts))
  if (counts.latin === most) return 'latin'
  if (counts.arabic === most) return 'arabic'
  return counts.glyph === most ? 'glyph' : 'other'
})
