// Cuts an answer: to the length that is allowed, and into the pieces in which a model would say it.
import { countTokens } from '../tokens.ts'

/** As much of the text as so many tokens hold. No character is cut in two. */
export function withinTokens(text: string, tokens: number): string {
  if (countTokens(text) <= tokens) return text
  let fits = 0
  let over = text.length
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (countTokens(text.slice(0, middle)) <= tokens) fits = middle
    else over = middle
  }
  const isHalf = /[\ud800-\udbff]$/.test(text.slice(0, fits))
  return text.slice(0, isHalf ? fits - 1 : fits)
}

/** A few words each; together they are the text. */
export const piecesOf = (text: string): readonly string[] => text.match(/(?:\s*\S{1,80}){1,4}\s*|\s+/g) ?? []
