// Detects statements that say more than their evidence, by words that occur in none of it. A paraphrase has a few.
import { isMonth } from './figures.ts'
import { synonymsOf } from './synonyms.ts'
import { memoizeByText, type TextToken, type TokenizedText } from './tokens.ts'
import { contentStems, isDecrease, isIncrease, isReportingWord, stemOf } from './word-lists.ts'

/** Allowed share of unsupported words; at least one is allowed. */
const UNSUPPORTED_SHARE = 0.25
const UNSUPPORTED_MIN = 1
/** Words with the same first letters count as forms of one word. */
const ROOT_LENGTH = 5

export function addsInformation(claim: TokenizedText, texts: readonly TokenizedText[]): boolean {
  const isOwn = createUnsupportedTest(texts)
  const clauses = splitClauses(claim)
  const all = clauses.flat()
  const supported = all.filter((token) => isSupported(token, texts)).length
  if (all.filter(isOwn).length > Math.max(UNSUPPORTED_MIN, Math.floor(supported * UNSUPPORTED_SHARE)))
    return true
  // A clause without any supported word is about something else.
  return clauses.some((clause) => clause.some(isOwn) && !clause.some((token) => isSupported(token, texts)))
}

/** Counts words that occur in none of the texts and are not typical of every report. */
export const countUnsupportedWords = (words: TokenizedText, texts: readonly TokenizedText[]): number =>
  splitClauses(words).flat().filter(createUnsupportedTest(texts)).length

function createUnsupportedTest(texts: readonly TokenizedText[]): (token: TextToken) => boolean {
  const ways = { up: texts.some(hasUp), down: texts.some(hasDown) }
  return (token) => {
    if (isReportingWord(token) || isMonth(token) || isSupported(token, texts)) return false
    return !(ways.up && isIncrease(token)) && !(ways.down && isDecrease(token))
  }
}

const hasUp = memoizeByText(({ tokens }) => tokens.some(isIncrease))
const hasDown = memoizeByText(({ tokens }) => tokens.some(isDecrease))

const stemsOf = memoizeByText(({ tokens }) => contentStems(tokens))
const rootsOf = memoizeByText((words) => new Set(Array.from(stemsOf(words), rootOf)))
const rootOf = (stem: string): string => stem.slice(0, ROOT_LENGTH)

function isSupported({ norm }: TextToken, texts: readonly TokenizedText[]): boolean {
  const stem = stemOf(norm)
  const isIn = (text: TokenizedText) =>
    stemsOf(text).has(stem) || (stem.length >= ROOT_LENGTH && rootsOf(text).has(rootOf(stem)))
  return texts.some((text) => isIn(text) || synonymsOf(stem).some((other) => stemsOf(text).has(other)))
}

const CONJUNCTION = /^(?:and|but|while|whereas|which|who|because|so|et|mais|qui|e|mas|que|y|pero)$/

/** The significant words of each clause. */
function splitClauses({ text, tokens }: TokenizedText): TextToken[][] {
  const clauses: TextToken[][] = [[]]
  let end = 0
  for (const token of tokens) {
    if (/[,;:–—()]/.test(text.slice(end, token.start)) || CONJUNCTION.test(token.norm)) clauses.push([])
    if (token.kind === 'word' && contentStems([token]).size > 0) clauses.at(-1)?.push(token)
    end = token.end
  }
  return clauses
}
