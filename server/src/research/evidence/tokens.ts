// Splits texts into normalized tokens with positions, so that different spellings of a passage compare as equal.

export type TextToken = {
  /** Normalized letters, digits, apostrophes and case, for comparison. */
  readonly norm: string
  readonly kind: 'word' | 'number' | 'sign' | 'glyph'
  /** The token is `text.slice(start, end)`. */
  readonly start: number
  readonly end: number
}

/** A text and its tokens. */
export type TokenizedText = { readonly text: string; readonly tokens: readonly TextToken[] }
export const tokenize = (text: string): TokenizedText => ({ text, tokens: tokensOf(text) })

/** Memoizes a function of a tokenized text. */
export function memoizeByText<T>(make: (words: TokenizedText) => T): (words: TokenizedText) => T {
  const known = new WeakMap<TokenizedText, { readonly made: T }>()
  return (words) => {
    const found = known.get(words) ?? { made: make(words) }
    known.set(words, found)
    return found.made
  }
}

/** Whether a token starts with a capital letter. */
export const isCapital = (text: string, { start }: TextToken): boolean =>
  /^\p{Lu}/u.test(text.slice(start, start + 2))

// Scripts without spaces: every character is a token.
const GLYPH = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const INVISIBLE = '\\u00ad\\u200b-\\u200f\\u2060\\u061c\\ufeff'
const LETTER = `[[\\p{L}\\p{M}\\p{N}${INVISIBLE}]--[${GLYPH}]]`

const TOKEN = new RegExp(
  [
    // Link targets and footnote marks are not part of the text.
    '(?:\\]\\([^\\(\\)\\s]{0,2000}\\)|\\[\\d{1,3}\\])',
    `[${GLYPH}]\\p{M}*`,
    '(?:(?:(?<![\\p{L}\\p{N}\\)\\]])[\\-−–])?\\p{Nd}+' +
      "(?:[.,٫٬]\\p{Nd}+|['’\\u00a0\\u202f\\u2009]\\p{Nd}{3}(?!\\p{Nd}))*|[\\p{No}\\p{Nl}]+)",
    `(?:[\\p{L}--[${GLYPH}]]${LETTER}*(?:['’ʼ_]${LETTER}+)*)`,
    '(?:[%‰٪$€£¥₦₹₵₽≤≥±°]|[<>]=?(?=\\s{0,4}\\p{Nd}))',
  ].join('|'),
  'gv',
)
const SKIPPED = /^\](?=\()|^\[/
const IS_NUMBER = /^[-−–]?\p{N}/u
const IS_GLYPH = new RegExp(`^[${GLYPH}]`, 'v')
const IS_WORD = /^\p{L}/u

/** The words, numbers and significant signs of a text, in order. Skips punctuation, spaces and Markdown marks. */
export function tokensOf(text: string): TextToken[] {
  // Words repeat often, so normalized forms are cached.
  const known = new Map<string, Pick<TextToken, 'norm' | 'kind'> | null>()
  const tokens: TextToken[] = []
  for (const { 0: raw, index: start } of text.matchAll(TOKEN)) {
    const cached = known.get(raw)
    const folded = cached === undefined ? fold(raw) : cached
    if (cached === undefined) known.set(raw, folded)
    if (folded) tokens.push({ norm: folded.norm, kind: folded.kind, start, end: start + raw.length })
  }
  return tokens
}

function fold(raw: string): Pick<TextToken, 'norm' | 'kind'> | null {
  if (SKIPPED.test(raw)) return null
  if (IS_NUMBER.test(raw)) return { norm: foldNumber(raw), kind: 'number' }
  if (IS_GLYPH.test(raw)) return { norm: foldWord(raw), kind: 'glyph' }
  return { norm: foldWord(raw), kind: IS_WORD.test(raw) ? 'word' : 'sign' }
}

const ASCII = /^[\x20-\x7e]*$/
const INVISIBLE_PATTERN = new RegExp(`[${INVISIBLE}]`, 'gv')
// Arabic vowel marks and the tatweel are optional, and the forms of alef are often confused.
const ARABIC_MARKS = /[\u064b-\u065f\u0670\u0640]/g
const ALEFS = /[أإآٱ]/g

function foldWord(raw: string): string {
  if (ASCII.test(raw)) return SAME_SIGN.get(raw.toLowerCase()) ?? raw.toLowerCase()
  const folded = raw
    .normalize('NFKC')
    .toLowerCase()
    .replace(INVISIBLE_PATTERN, '')
    .replace(ARABIC_MARKS, '')
    .replace(ALEFS, 'ا')
    .replace(/[’ʼ]/g, "'")
  return SAME_SIGN.get(folded) ?? folded
}

const SAME_SIGN = new Map([
  ['percent', '%'],
  ['٪', '%'],
])

/** Normalizes a number: `1,234`, `1 234` and `1.234,00` lose their groups, `1,5` becomes `1.5`, `07` becomes `7`. */
function foldNumber(raw: string): string {
  const plain = raw
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
    .replace(/[−–]/g, '-')
    .replace(/٫/g, '.')
    .replace(/[٬'’\s]/g, ',')
  return withoutGroups(plain).replace(/^(-?)0+(?=\d)/, '$1')
}

function withoutGroups(plain: string): string {
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)) return plain.replaceAll(',', '')
  if (/^-?\d{1,3}(?:\.\d{3})+,\d+$/.test(plain)) return plain.replaceAll('.', '').replace(',', '.')
  if (/^-?\d{1,3}(?:\.\d{3}){2,}$/.test(plain)) return plain.replaceAll('.', '')
  return /^-?\d+,\d+$/.test(plain) ? plain.replace(',', '.') : plain
}

/** The digits of a script follow its zero. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  if (code < 128) return code - 48
  const zero = ZEROS.findLast((each) => each <= code) ?? code
  return code - zero
}

const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0,
]
