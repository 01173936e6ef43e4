// A 64-bit SimHash. Texts that share most phrases differ in few bits.

/** Phrases of adjacent words, because all texts of a language share single words. */
const PHRASE_WORDS = 2
const DIFFERENT_BITS_MAX = 3

/** Scripts without spaces count by character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+/gv

/** 16 hexadecimal digits. */
export function computeFingerprint(text: string): string {
  const words = text.toLowerCase().match(WORD) ?? []
  const phrases = new Set<string>()
  for (let i = 0; i < Math.max(1, words.length - PHRASE_WORDS + 1); i++)
    phrases.add(words.slice(i, i + PHRASE_WORDS).join(' '))

  const votes = new Int32Array(64)
  for (const phrase of phrases) {
    const [high, low] = hash(phrase)
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] ?? 0) + (((high >>> (31 - bit)) & 1) * 2 - 1)
      votes[bit + 32] = (votes[bit + 32] ?? 0) + (((low >>> (31 - bit)) & 1) * 2 - 1)
    }
  }
  const bits = Array.from(votes, (vote) => (vote > 0 ? '1' : '0')).join('')
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0')
}

export function isNearDuplicate(one: string, other: string): boolean {
  const different = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  return different.toString(2).replaceAll('0', '').length <= DIFFERENT_BITS_MAX
}

/** Two independent 32-bit hashes, mixed so that every letter affects every bit. */
function hash(phrase: string): [number, number] {
  let one = 0x811c9dc5
  let two = 0x9e3779b9
  for (let i = 0; i < phrase.length; i++) {
    const unit = phrase.charCodeAt(i)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ unit, 0x85ebca6b) ^ (two >>> 15)
  }
  return [mixBits(one), mixBits(two)]
}

function mixBits(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b)
  return (second ^ (second >>> 16)) >>> 0
}
