// Facts of several numbers: telephone numbers, dial codes, dates, times and amounts. Each of their numbers alone may occur
// in a text that says something else, so they are compared as a whole.
import { memoizeByText, type TextToken, type TokenizedText } from './tokens.ts'

/** Whether the texts contain the compound facts of a statement, and nothing that contradicts them. */
export function hasExactFacts(statement: TokenizedText, texts: readonly TokenizedText[]): boolean {
  const all = texts.map(factsOf)
  const own = factsOf(statement)
  const isStated = (kind: 'codes' | 'phones') =>
    [...own[kind]].every((fact) => all.some((facts) => startsOne(facts[kind], fact)))
  // A date or a time may be rewritten, unless the texts have one in the same notation.
  const isAlike = (kind: 'dates' | 'times') => {
    const known = new Set(all.flatMap((facts) => [...facts[kind]]))
    return known.size === 0 || own[kind].isSubsetOf(known)
  }
  return (
    isStated('codes') && isStated('phones') && isAlike('dates') && isAlike('times') && hasAmounts(own, all)
  )
}

/** In a text, other digits such as opening hours may follow a telephone number. */
const startsOne = (known: ReadonlySet<string>, fact: string): boolean =>
  known.has(fact) || (fact.startsWith('+') && [...known].some((each) => each.startsWith(fact)))

type ExactFacts = {
  readonly codes: ReadonlySet<string>
  readonly phones: ReadonlySet<string>
  readonly dates: ReadonlySet<string>
  readonly times: ReadonlySet<string>
  /** The currencies of an amount. An amount without one has an empty set. */
  readonly amounts: ReadonlyMap<string, ReadonlySet<string>>
}

/** Without the star, a dial code such as `*170#` is another code. */
const CODE = /(?<![\p{L}\p{N}*#])[*#]{0,2}\d[\d*#]*#(?![\p{L}\p{N}])/gu
const PHONE =
  /\+\s?\d{1,4}(?:[\s().-]{1,3}\d{1,5}){2,6}|\+\d{9,14}|(?<![\p{N}\p{L}.,/-])0\d{1,4}(?:[ .-]\d{2,4}){2,4}(?![\p{N}-])|(?<![\p{N}-])\d{3,4}-\d{3}-\d{3,4}(?![\p{N}-])/gu
const DATE = /(?<![\p{N}.,/-])(?:\d{1,2}([/.-])\d{1,2}\1\d{2,4}|\d{4}([/.-])\d{1,2}\2\d{1,2})(?![\p{N}/-])/gu
const TIME = /(?<![\p{N}:.,])\d{1,2}:\d{2}(?::\d{2})?(?![\p{N}:])/gu

const factsOf = memoizeByText((words): ExactFacts => {
  const text = toAsciiDigits(words.text)
  const all = (pattern: RegExp) => Array.from(text.matchAll(pattern), ([fact]) => fact)
  return {
    codes: new Set(all(CODE)),
    phones: new Set(all(PHONE).map((phone) => phone.replace(/[^\d+]/g, ''))),
    dates: new Set(all(DATE).map((date) => date.replace(/(?<!\d)0+(?=\d)/g, ''))),
    times: new Set(all(TIME).map((time) => time.replace(/^0(?=\d)/, ''))),
    amounts: amountsOf(words),
  }
})

const ZEROS = [0x660, 0x6f0]
const toAsciiDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
  })

/** An amount contradicts the texts if they state it only in other currencies. */
function hasAmounts(own: ExactFacts, all: readonly ExactFacts[]): boolean {
  return Array.from(own.amounts).every(([value, currencies]) => {
    if (currencies.size === 0) return true
    const known = all.flatMap(({ amounts }) => amounts.get(value) ?? [])
    if (known.length === 0 || known.some((each) => each.size === 0)) return true
    return currencies.isSubsetOf(new Set(known.flatMap((each) => [...each])))
  })
}

/** Names and signs of currencies. Those that share a name in one row are the same currency. */
const CURRENCIES: ReadonlyMap<string, string> = new Map(
  [
    'USD $ us$ dollar dollars دولار',
    'EUR € euro euros يورو',
    'GBP £ pound pounds sterling',
    'NGN ₦ naira',
    'GHS ₵ gh₵ ghc cedi cedis',
    'KES ksh kshs kes/-',
    'UGX ush ugshs',
    'TZS tsh tshs',
    'ZAR rand rands',
    'INR ₹ rs rupee rupees',
    'XOF XAF fcfa cfa',
    'EGP جنيه',
    'RWF frw',
    'JPY ¥ yen',
    'RUB ₽ rouble roubles rubles',
    'MAD درهم dirham dirhams',
  ].flatMap((row) => {
    const [code = '', ...names] = row.split(' ')
    return [code, ...names].map((name) => [name.toLowerCase(), code] as const)
  }),
)

const currencyOf = (token: TextToken | undefined): string | undefined =>
  token && token.kind !== 'number' ? CURRENCIES.get(token.norm) : undefined

/** The currency directly before or after each number. */
function amountsOf({ text, tokens }: TokenizedText): Map<string, Set<string>> {
  const amounts = new Map<string, Set<string>>()
  const isNear = (one: TextToken | undefined, other: TextToken | undefined) =>
    one !== undefined && other !== undefined && /^[\s.]?$/.test(text.slice(one.end, other.start))
  tokens.forEach((token, at) => {
    if (token.kind !== 'number') return
    const [before, after] = [tokens[at - 1], tokens[at + 1]]
    const currency =
      (isNear(before, token) && currencyOf(before)) || (isNear(token, after) && currencyOf(after)) || ''
    const known = amounts.get(token.norm) ?? new Set()
    if (currency) known.add(currency)
    amounts.set(token.norm, known)
  })
  return amounts
}
