// Printed from analysis/secret-formats/format.ts by `npm run print`; do not edit.
// The definition of a secret format, and checks for placeholders.

export type SecretPattern = {
  readonly id: string
  /** Shown to the user as the kind of secret. */
  readonly title: string
  /** Global. The group `secret` is the part to mask. */
  readonly pattern: RegExp
  /** Lower case. The pattern runs only on texts that contain one of these words. */
  readonly words: readonly string[]
  /** False for placeholders, documented examples and other values of this format that give no access. */
  readonly isReal: (secret: string, match: RegExpExecArray) => boolean
  /** The prefix of such values, as regular expression source. Logs and excerpts mask every value with it. */
  readonly prefix?: string
  /** The review rule that reports it. Formats without a rule are masked but not reported. */
  readonly rule?: string
}

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Short words count only as separate words, because they also occur by chance in random values. */
const NAMED_PLACEHOLDER =
  /example|placeholder|sample|dummy|changeme|change[-_]me|insert|replace|redacted|withheld|foobar|lorem|(?:^|[-_])(?:your|fake|mock|todo)|x{5}|\*\*\*|\.\.\.|<|>|deadbeef|test[-_]?key|my[-_]?secret/i
const SEQUENCE = /0123456|1234567|2345678|abcdefg|qwerty|987654|0000000/i
const REPETITION = /(.)\1{5}|(.{2,8})\2{3}/
/** Only the beginning of a long value is checked, because any short word occurs somewhere in it by chance. */
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
