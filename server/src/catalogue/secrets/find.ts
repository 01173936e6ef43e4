// Secrets in a text, by where they stand.
import { SECRET_SHAPES, type SecretShape } from './shapes.ts'

export type FoundSecret = {
  readonly shape: SecretShape
  /** Of the secret part alone. */
  readonly start: number
  readonly end: number
}

/** More in one text is a list of secrets, and says no more than the first of them. */
const FOUND_MAX = 100

/** In the order of the text. What two shapes claim belongs to the one that stands first in the catalogue. */
export function findSecrets(text: string): FoundSecret[] {
  const small = text.toLowerCase()
  const found: FoundSecret[] = []
  for (const shape of SECRET_SHAPES) {
    if (!shape.words.some((word) => small.includes(word))) continue
    for (const match of text.matchAll(shape.pattern)) {
      if (found.length >= FOUND_MAX) break
      const secret = match.groups?.secret ?? ''
      const start = match.index + match[0].indexOf(secret)
      const end = start + secret.length
      const isTaken = found.some((other) => other.start < end && start < other.end)
      if (!isTaken && shape.isReal(secret, match)) found.push({ shape, start, end })
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

/** The text with its secrets struck out. Lines stay as many and as long as they were. */
export function maskSecrets(text: string): string {
  let masked = ''
  let done = 0
  for (const { start, end } of findSecrets(text)) {
    masked += text.slice(done, start) + text.slice(start, end).replace(/[^\s]/g, '•')
    done = end
  }
  return masked + text.slice(done)
}
