// Reads the figures of a text: values of numbers and named months, in any notation.
import { hasExactFacts } from './exact-facts.ts'
import { isCapital, memoizeByText, type TextToken, type TokenizedText } from './tokens.ts'
import { parseNumberName, scaleOf } from './word-lists.ts'

/** Whether one of the texts contains each number and month of a statement, with the same magnitude. */
export function hasFigures(statement: TokenizedText, texts: readonly TokenizedText[]): boolean {
  const isKnown = (at: number) => {
    const values = readValues(statement, at)
    const isPronoun = statement.tokens[at]?.norm === 'one'
    const stands = (value: string) => texts.some((text) => figuresOf(text).has(value))
    return isPronoun || values.length === 0 || values.some(stands)
  }
  if (hasPercent(statement) && !texts.some(hasPercent)) return false
  if (!hasExactFacts(statement, texts)) return false
  return statement.tokens.every((_, at) => isKnown(at))
}

/** All values that the numbers of a text can have. */
export const figuresOf = memoizeByText(
  (words) => new Set(words.tokens.flatMap((_, at) => readValues(words, at))),
)

const hasPercent = memoizeByText(
  ({ text, tokens }) => tokens.some(({ norm }) => norm === '%') || /per cent|pour cent|por cento/i.test(text),
)

const MONEY = /^[$€£¥₦₹₵₽]$/
const LETTER_SCALES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['b', 1e9],
])

/** Possible values of the number at an index: `3.2 million` is 3200000, `3 200` may be 3200, `two` is 2. */
function readValues(words: TokenizedText, at: number): string[] {
  const { tokens } = words
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (!token) return []
  if (isMonth(token)) return isDate(words, at) ? [MONTHS.get(token.norm) ?? ''] : []
  const value = token.kind === 'number' ? token.norm : parseNumberName(token)
  if (value === undefined) return token.kind === 'word' && /\d/.test(token.norm) ? [token.norm] : []
  const isAttached = next?.start === token.end && MONEY.test(tokens[at - 1]?.norm ?? '')
  const scale = next && (scaleOf(next) ?? (isAttached ? LETTER_SCALES.get(next.norm) : undefined))
  if (scale) return [applyScale(value, scale)]
  return [
    value,
    ...readGroupedNumber(words, at - 1),
    ...readGroupedNumber(words, at),
    ...readRangeStart(words, at),
  ]
}

const applyScale = (value: string, scale: number): string =>
  String(Number((Number(value) * scale).toPrecision(12)))

/** Reads `3 200` as one number, for either of its parts. */
function readGroupedNumber({ text, tokens }: TokenizedText, at: number): string[] {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token?.kind !== 'number' || next?.kind !== 'number' || text.slice(token.end, next.start) !== ' ')
    return []
  return /^\d{1,3}$/.test(token.norm) && /^\d{3}$/.test(next.norm) ? [token.norm + next.norm] : []
}

/** In `5–10 million`, both numbers are millions. */
function readRangeStart({ text, tokens }: TokenizedText, at: number): string[] {
  const [token, next, after] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  if (token?.kind !== 'number' || next?.kind !== 'number') return []
  const isRange = /^(?:\s?[-–—]\s?| (?:to|and|à|et) )$/.test(text.slice(token.end, next.start))
  const scale = isRange && after ? scaleOf(after) : undefined
  return scale ? [applyScale(token.norm, scale)] : []
}

const MONTHS: ReadonlyMap<string, string> = new Map(
  [
    'january february march april may june july august september october november december',
    'jan feb mar apr may jun jul aug sept oct nov dec',
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    'يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر',
  ].flatMap((names) => names.split(' ').map((name, at) => [name, String(at + 1)] as const)),
)

export const isMonth = ({ norm }: TextToken): boolean => MONTHS.has(norm)

/** `March 2024` is a date; `they march` is not. A month counts as its number, which a date may use instead. */
const isDate = ({ text, tokens }: TokenizedText, at: number): boolean => {
  const token = tokens[at]
  const isVerb = token !== undefined && /^(?:march|may)$/.test(token.norm) && !isCapital(text, token)
  return !isVerb && (tokens[at - 1]?.kind === 'number' || tokens[at + 1]?.kind === 'number')
}
