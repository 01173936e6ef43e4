// Subtokens: the words inside identifiers, lightly stemmed.

/**
 * The parts of one word: `parseHTTPDates2` is pars, http, dat and 2. Snake and kebab case are split
 * already.
 */
export function subtokensOf(word: string): string[] {
  const parts = IS_ASCII.test(word) ? partsOf(word) : word.normalize('NFKC').split(BORDER)
  return parts
    .filter((part) => part !== '')
    .map((part) => stemOf(part.slice(0, PART_CHARACTERS_MAX).toLowerCase()))
}

/**
 * Calls back with every word of a text: a run of letters, digits, `_` and `$`, so that an identifier is one
 * word. Non-ASCII characters count as letters here; `subtokensOf` drops those that are not.
 */
export function eachWord(text: string, end: number, tell: (word: string) => void): void {
  let start = -1
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    const isInWord = code >= 128 || (IN_WORD[code] ?? 0) === 1
    if (isInWord && start === -1) start = at
    // A very long word is split, so that a cached word has a bounded size.
    const isTooLong = start !== -1 && at - start >= WORD_CHARACTERS_MAX
    if ((isInWord && !isTooLong) || start === -1) continue
    tell(text.slice(start, at))
    start = isInWord ? at : -1
  }
  if (start !== -1) tell(text.slice(start, end))
}

/**
 * Removes English endings: parse, parses, parsed and parsing become «pars», validate and validation
 * «validat». It is not a linguistic stem, only a consistent one.
 */
export function stemOf(word: string): string {
  if (word.length < 4 || !ENDS_STEMMABLE.test(word)) return word
  let stem = word
  if (stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`
  else if (stem.endsWith('s') && !/(?:[su]s|[ai]s)$/.test(stem)) stem = stem.slice(0, -1)
  for (const ending of ['ing', 'ed'])
    if (stem.endsWith(ending) && HAS_STEM.test(stem.slice(0, -ending.length))) {
      stem = stem.slice(0, -ending.length).replace(/([bgmnprt])\1$/, '$1')
      break
    }
  if (stem.endsWith('tion') && stem.length > 5) stem = stem.slice(0, -3)
  if (stem.endsWith('e') && stem.length > 2) stem = stem.slice(0, -1)
  return stem
}

/** Splits like `BORDER` but by hand, because nearly all words are ASCII and lookbehind is slow. */
function partsOf(word: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 1; at <= word.length; at++) {
    const before = kindAt(word, at - 1)
    const here = kindAt(word, at)
    const isHump = before === UPPER && here === UPPER && kindAt(word, at + 1) === LOWER
    const isInside = before === here || (before === UPPER && here === LOWER)
    if (isInside && !isHump && at < word.length) continue
    if (before !== NEITHER) parts.push(word.slice(start, at))
    start = at
  }
  return parts
}

const [NEITHER, LOWER, UPPER, DIGIT] = [0, 1, 2, 3] as const

function kindAt(word: string, at: number): number {
  const code = word.charCodeAt(at)
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  return code >= 48 && code <= 57 ? DIGIT : NEITHER
}

const PART_CHARACTERS_MAX = 40
const WORD_CHARACTERS_MAX = 128

const IS_ASCII = /^[\x00-\x7f]*$/
/**
 * The boundary between parts: fooBar, HTTPServer, sha256, and characters that are neither letter nor digit.
 */
const BORDER =
  /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|[^\p{L}\p{M}\p{N}]+/u
const ENDS_STEMMABLE = /(?:[sedg]|tion)$/
/** The stem must still be a word: «string» is not a form of «str». */
const HAS_STEM = /[aeiouy].*[^e]$/

const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? 1 : 0,
)
