// Estimates the most tokens a text can have, without a tokenizer: one pass over its characters, by their class and the
// class before. The costs were tuned by hand against o200k. The estimate is usually 1.2 to 1.6 times the count, but up to
// 10 % below it for terse scripts and 50 % below for random letters. A charge never exceeds the hold, so Cowrie pays the
// difference where the estimate is too low.

const LOWER = 1
const UPPER = 2
const DIGIT = 3
const SIGN = 4
const SPACE = 5
const BREAK = 6

// All costs are in hundredths of a token. First, the cost of the first character of a run, by the class before it.
const WORD = 100
const SIGN_ALONE = 100
const LINE = 80
const GAP = 10
/** Alternating letters and digits are an identifier or an encoding, which splits into small tokens. */
const LETTER_AND_DIGIT = 30
/** A space is part of the word after it, but never of a number. */
const SPACE_BEFORE_DIGIT = 100
/** Words that end in a vowel other than e are rare in English and code, but usual from Hausa to Zulu. */
const LETTER_BEFORE_VOWEL = 35
const OTHER_SIGN = 80
/** A repeated letter is not a word, but the tokenizer knows it. */
const SAME_LETTER = 50

// The cost of the second, third and further characters of a run. The last value repeats.
const NEXT_PRICES: Readonly<Record<number, readonly number[]>> = {
  // A word, then a long word, then random letters.
  [LOWER]: [0, 0, 0, 28, 28, 28, 28, 28, 28, 28, 28, 60],
  [UPPER]: [75, 75, 35],
  // Three digits per token.
  [DIGIT]: [0, 0, 100, 0, 0, 100, 0, 0, 100, 34],
  // A repeated sign. A change of sign has a separate cost.
  [SIGN]: [25, 25, 25, 5],
  [SPACE]: [5],
  [BREAK]: [30],
}

const RUN_MAX = 15
const classes = new Uint8Array(128).fill(SIGN)
for (let code = 97; code <= 122; code++) classes[code] = LOWER
for (let code = 65; code <= 90; code++) classes[code] = UPPER
for (let code = 48; code <= 57; code++) classes[code] = DIGIT
for (const code of [9, 32]) classes[code] = SPACE
for (const code of [10, 13]) classes[code] = BREAK

const first = new Uint8Array(8 * 8)
for (let before = 0; before < 8; before++) {
  const isDigit = before === DIGIT
  const isLetter = before === LOWER || before === UPPER
  const price = (kind: number, hundredths: number) => {
    first[before * 8 + kind] = hundredths
  }
  price(LOWER, WORD + (isDigit ? LETTER_AND_DIGIT : 0))
  price(UPPER, WORD + (isDigit ? LETTER_AND_DIGIT : 0))
  price(DIGIT, WORD + (isLetter ? LETTER_AND_DIGIT : before === SPACE ? SPACE_BEFORE_DIGIT : 0))
  price(SIGN, SIGN_ALONE)
  price(SPACE, GAP)
  price(BREAK, LINE)
}
const next = new Uint8Array(8 * 16)
for (const [kind, prices] of Object.entries(NEXT_PRICES))
  for (let run = 2; run <= RUN_MAX; run++)
    next[Number(kind) * 16 + run] = prices[run - 2] ?? prices.at(-1) ?? 0

export function estimateMaxTokens(text: string): number {
  let hundredths = 0
  let before = 0
  let run = 0
  let last = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? (classes[code] ?? SIGN) : 0
    if (kind === before && kind !== 0) {
      if (run < RUN_MAX) run++
      const price = kind === SIGN && code !== last ? OTHER_SIGN : (next[kind * 16 + run] ?? 0)
      hundredths += code === last && kind <= UPPER && price > SAME_LETTER ? SAME_LETTER : price
    } else if (kind === LOWER && before === UPPER && run === 1) {
      // A capital letter before lower case is part of the word.
      run = 2
      before = LOWER
    } else {
      if (before === LOWER && run > 3 && isOpenVowel(last)) hundredths += LETTER_BEFORE_VOWEL * (run - 2)
      hundredths += kind === 0 ? priceBeyondAscii(code) : (first[before * 8 + kind] ?? 0)
      before = kind
      run = 1
    }
    last = code
  }
  return Math.ceil(hundredths / 100) + 2
}

/** The cost by Unicode block: how well the tokenizer knows the script. */
function priceBeyondAscii(code: number): number {
  if (code < 0x250) return 110 // Latin with diacritics
  if (code < 0x700) return 80 // Greek, Cyrillic, Hebrew, Arabic
  if (code < 0x1200) return 110 // South and South-East Asia
  if (code < 0x1400) return 280 // Ethiopic
  if (code >= 0x2000 && code < 0x2070) return 120 // dashes and quotes
  if (code >= 0x2500 && code < 0x2600) return 120 // lines of tables
  if (code < 0x2e80) return 300 // arrows, signs, Tifinagh
  if (code < 0xe000) return 160 // East Asia, and surrogates of emoji
  return 200
}

const isOpenVowel = (code: number): boolean => code === 97 || code === 105 || code === 111 || code === 117
