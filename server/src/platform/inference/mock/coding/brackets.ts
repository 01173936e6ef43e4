// Walks over code without understanding it: brackets are paired, strings and comments are stepped over.
import type { Language } from '../known/known.ts'

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Where the bracket at `open` is closed; undefined when it is not. Code beyond 200 000 characters is not looked at. */
export function closingOf(text: string, open: number, language: Language): number | undefined {
  const opening = text[open] ?? ''
  const closing = PAIRS[opening]
  if (closing === undefined) return undefined
  const limit = Math.min(text.length, open + 200_000)
  let depth = 0
  for (let at = open; at < limit; at += 1) {
    at = skip(text, at, language)
    if (text[at] === opening) depth += 1
    else if (text[at] === closing) depth -= 1
    if (depth === 0) return at
  }
  return undefined
}

/** Splits at the commas that are in no bracket and no string. */
export function splitArguments(list: string, language: Language): readonly string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < list.length; at += 1) {
    at = skip(list, at, language)
    const letter = list[at] ?? ''
    if (letter in PAIRS) at = closingOf(list, at, language) ?? list.length
    else if (letter === ',') {
      parts.push(list.slice(start, at).trim())
      start = at + 1
    }
  }
  const last = list.slice(start).trim()
  return last === '' ? parts : [...parts, last]
}

/** The last character of the string or comment that starts here, or here itself. */
function skip(text: string, at: number, language: Language): number {
  const letter = text[at]
  if (letter === '"' || letter === "'" || letter === '`') return endOfString(text, at, letter)
  const isLineComment = language === 'py' ? letter === '#' : letter === '/' && text[at + 1] === '/'
  if (isLineComment) return endAt(text.indexOf('\n', at), text)
  if (letter === '/' && text[at + 1] === '*') return endAt(text.indexOf('*/', at + 2) + 1, text)
  return at
}

const endAt = (found: number, text: string): number => (found <= 0 ? text.length : found)

function endOfString(text: string, at: number, quote: string): number {
  const triple = quote.repeat(3)
  if (quote !== '`' && text.startsWith(triple, at)) {
    const end = text.indexOf(triple, at + 3)
    return end < 0 ? text.length : end + 2
  }
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1
    else if (text[i] === quote) return i
    // A quote that nothing closes on its line was an apostrophe.
    else if (text[i] === '\n' && quote !== '`') return at
  }
  return at
}
