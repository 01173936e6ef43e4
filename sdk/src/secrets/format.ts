// Printed from analysis/secret-formats/format.ts by `npm run print`; do not edit.
// What a format of secrets is, and whether a value of its shape can be real.

export type SecretPattern = {
  readonly id: string
  /** What was found, as the reader of a result sees it. */
  readonly title: string
  /** Global. The group `secret` is the part to hide. */
  readonly pattern: RegExp
  /** Lower case; the pattern is tried only in texts that contain one of them. */
  readonly words: readonly string[]
  /** False for placeholders, documented examples and other values of the same shape that open nothing. */
  readonly isReal: (secret: string, match: RegExpExecArray) => boolean
  /** How values begin, as regular expression source. Logs and excerpts hide everything with such a beginning. */
  readonly prefix?: string
  /** The review rule that reports it. Formats without one are hidden, but are no finding. */
  readonly rule?: string
}

/** Bits per character, from how often each character occurs. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Short words count only where they stand apart: by chance they also occur inside random values. */
const NAMED_PLACEHOLDER =
  /example|placeholder|sample|dummy|changeme|change[-_]me|insert|replace|redacted|withheld|foobar|lorem|(?:^|[-_])(?:your|fake|mock|todo)|x{5}|\*\*\*|\.\.\.|<|>|deadbeef|test[-_]?key|my[-_]?secret/i
const SEQUENCE = /0123456|1234567|2345678|abcdefg|qwerty|987654|0000000/i
const REPETITION = /(.)\1{5}|(.{2,8})\2{3}/
/** A long value is judged by its beginning: somewhere in it any short word occurs by chance. */
const JUDGED_CHARACTERS = 80

export function isPlaceholder(text: string): boolean {
  const start = text.slice(0, JUDGED_CHARACTERS)
  return NAMED_PLACEHOLDER.test(start) || SEQUENCE.test(start) || REPETITION.test(start)
}

export const isRandom = (text: string, bits: number): boolean =>
  entropyOf(text) >= bits && !isPlaceholder(text)

export const random =
  (bits: number) =>
  (secret: string): boolean =>
    isRandom(secret, bits)
