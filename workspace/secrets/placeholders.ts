// Placeholders of secret values, and their places in a text. Pure, so that worker threads can use it.
import { createHmac } from 'node:crypto'
import type { SecretSpan } from './secret-span.ts'
import type { FoundValue } from './value-finder.ts'

/** The word keeps the secret patterns from taking a placeholder for a secret. */
export const MARK = 'WITHHELD_SECRET_'
const TAG_CHARACTERS = 12
const PLACEHOLDER = new RegExp(`${MARK}[0-9a-f]{${TAG_CHARACTERS}}_`, 'g')

/** Equal values have equal placeholders within a task. Without the nonce, a placeholder reveals nothing of its value. */
export const placeholderOf = (nonce: string, value: string): string =>
  `${MARK}${createHmac('sha256', nonce).update(value).digest('hex').slice(0, TAG_CHARACTERS)}_`

export const placeholdersIn = (text: string): string[] => [...new Set(text.match(PLACEHOLDER))]

/** The characters at each position of a placeholder. */
const SHAPE: readonly RegExp[] = [
  ...[...MARK].map((character) => new RegExp(character, 'i')),
  ...Array.from({ length: TAG_CHARACTERS }, () => /[0-9a-f]/i),
  /_/,
]

/**
 * Whether the text can overlap a placeholder. Only such a text can occur in a masked text and not in the raw one. Ignores
 * case.
 */
export function mayOverlapPlaceholder(text: string): boolean {
  for (let offset = 1 - text.length; offset < SHAPE.length; offset++) {
    const from = Math.max(0, -offset)
    const to = Math.min(text.length, SHAPE.length - offset)
    let at = from
    while (at < to && SHAPE[offset + at]?.test(text[at] ?? '')) at += 1
    if (at === to) return true
  }
  return false
}

export const replacePlaceholders = (text: string, replacementOf: (placeholder: string) => string): string =>
  text.replace(PLACEHOLDER, replacementOf)

export type SecretRange = { readonly start: number; readonly end: number }

/**
 * The ranges to replace, in order and without overlaps: the words of each span, because a secret of several lines must
 * not change the number of lines, and every place where a known value was found.
 */
export function secretRanges(
  text: string,
  spans: readonly SecretSpan[],
  values: readonly FoundValue[],
): SecretRange[] {
  const ranges: SecretRange[] = []
  for (const { start, end } of spans)
    for (const { index, 0: word } of text.slice(start, end).matchAll(/\S+/g))
      if (word.replace(PLACEHOLDER, '') !== '')
        ranges.push({ start: start + index, end: start + index + word.length })
  for (const { start, value } of values) ranges.push({ start, end: start + value.length })
  return mergeRanges(ranges)
}

function mergeRanges(ranges: SecretRange[]): SecretRange[] {
  const merged: SecretRange[] = []
  for (const range of ranges.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && range.start < last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    else merged.push(range)
  }
  return merged
}

export function replaceRanges(
  text: string,
  ranges: readonly SecretRange[],
  replacementOf: (value: string) => string,
): string {
  let replaced = ''
  let done = 0
  for (const { start, end } of ranges) {
    replaced += text.slice(done, start) + replacementOf(text.slice(start, end))
    done = end
  }
  return replaced + text.slice(done)
}
