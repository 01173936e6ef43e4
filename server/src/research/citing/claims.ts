// Whether a text bears a statement out, as far as that can be seen without understanding it: figures, dates and names of
// the statement stand in the text, nothing is turned round, and both are about the same.
import { figuresOf, hasFigures, isMonth } from './figures.ts'
import { isCapital, type Token, type Words, wordsOf } from './tokens.ts'
import { contentOf, isDown, isNegation, isStopWord, isUp, stemOf } from './words.ts'

export type Evidence = {
  /** What must have the figures, dates and names. */
  readonly text: string
  /** The sentences that the statement rests on, for what they say no to. */
  readonly said: string
  /** Where a name may stand as well: titles, headings, the question. */
  readonly aside: string
}
export type Objection = 'unrelated' | 'number' | 'name' | 'negation' | 'direction'

/** The first thing that speaks against a statement, or null. `sharedMin` words in common make two texts related. */
export function objectionTo(
  statement: string,
  evidence: Evidence,
  { sharedMin }: { readonly sharedMin: number },
): Objection | null {
  const [claim, text] = [wordsOf(statement), wordsOf(evidence.text)]
  if (!hasFigures(claim, text)) return 'number'
  // Words of two scripts cannot be compared; figures can.
  if (!isComparable(claim, text)) return null
  if (!hasNames(claim, [text, wordsOf(evidence.aside)])) return 'name'
  const said = wordsOf(evidence.said)
  if (!isRelated(claim, said, sharedMin)) return 'unrelated'
  if (isTurnedRound(claim, said)) return 'negation'
  return goesTheOtherWay(claim, said) ? 'direction' : null
}

/** Whether two texts have words or numbers in common that mean something; all of them where there are few. */
export function isRelated(claim: Words, text: Words, sharedMin: number): boolean {
  const said = pointsOf(claim)
  return said.intersection(pointsOf(text)).size >= Math.min(sharedMin, said.size)
}

const pointsOf = (words: Words): Set<string> => contentOf(words.tokens).union(figuresOf(words))

/** The names of a statement: capital letters where no sentence begins, and capitals inside a word anywhere. */
export function namesIn({ text, tokens }: Words): Token[] {
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

function hasNames(claim: Words, texts: readonly Words[]): boolean {
  const known = new Set(texts.flatMap(({ tokens }) => tokens).flatMap(({ norm }) => [norm, stemOf(norm)]))
  return namesIn(claim).every(({ norm }) => known.has(norm) || known.has(stemOf(norm)))
}

/** How many words after a negation it speaks about. */
const SCOPE = 3

type Polarity = { readonly cues: number; readonly denied: Set<string>; readonly stated: Set<string> }

function polarityOf(words: Words): Polarity {
  const { tokens } = words
  const cues = tokens.flatMap((token, at) =>
    isNegation(token) && !/^(?:only|just|least)$/.test(tokens[at + 1]?.norm ?? '') ? [at] : [],
  )
  const inScope = new Set(cues.flatMap((cue) => scopeOf(words, cue)))
  return {
    cues: cues.length,
    denied: contentOf(tokens.filter((_, at) => inScope.has(at))),
    stated: contentOf(tokens.filter((_, at) => !inScope.has(at) && !cues.includes(at))),
  }
}

/** The next words that mean something, up to the end of the clause. */
function scopeOf({ text, tokens }: Words, cue: number): number[] {
  const places: number[] = []
  for (let at = cue + 1; at < tokens.length && places.length < SCOPE; at++) {
    const [before, token] = [tokens[at - 1], tokens[at]]
    if (!before || !token || /[,;:.!?،؛。]/.test(text.slice(before.end, token.start))) break
    if (/^(?:but|mais|mas|sondern|لكن)$/.test(token.norm)) break
    if (!isStopWord(token)) places.push(at)
  }
  return places
}

/** Whether one says no to what the other says. */
function isTurnedRound(claim: Words, text: Words): boolean {
  const [ours, theirs] = [polarityOf(claim), polarityOf(text)]
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

/** `not possible` is said by `impossible`, and `not used` by `unused`. */
const hasOpposite = (denied: ReadonlySet<string>, stated: ReadonlySet<string>): boolean =>
  Array.from(denied).some((stem) =>
    ['un', 'in', 'im', 'ir', 'il', 'dis', 'non'].some((no) => stated.has(no + stem)),
  )

function goesTheOtherWay(claim: Words, text: Words): boolean {
  const goes = ({ tokens }: Words) => ({ up: tokens.some(isUp), down: tokens.some(isDown) })
  const [ours, theirs] = [goes(claim), goes(text)]
  return (
    (ours.up && !ours.down && theirs.down && !theirs.up) ||
    (ours.down && !ours.up && theirs.up && !theirs.down)
  )
}

/** Whether two texts are written in one script. */
export const isComparable = (one: Words, other: Words): boolean => scriptOf(one) === scriptOf(other)

type Script = 'latin' | 'arabic' | 'glyph' | 'other'

function scriptOf({ tokens }: Words): Script {
  const counts: Record<Script, number> = { latin: 0, arabic: 0, glyph: 0, other: 0 }
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
}
