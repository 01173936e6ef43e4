// Whether a text can be a secret at all: drawn by lot, or typed by somebody who wanted to show where one goes.

/** Bits per character, by how often each occurs. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const SAID =
  /example|placeholder|sample|dummy|changeme|change[-_]me|your[-_]?|insert|replace|redacted|fake|mock|foobar|lorem|todo|xxxx|\*\*\*|\.\.\.|<|>|deadbeef|test[-_]?key|my[-_]?secret/i
const COUNTED = /0123456|1234567|2345678|abcdefg|qwerty|987654|aaaa|0000000/i
const REPEATED = /(.)\1{5}|(.{2,8})\2{3}/

export const isPlaceholder = (text: string): boolean =>
  SAID.test(text) || COUNTED.test(text) || REPEATED.test(text)
