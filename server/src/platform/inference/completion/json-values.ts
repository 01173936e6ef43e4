// Finds JSON in the text of a model, which may reason before it, explain after it, or stop in the middle.
import { endOfJson } from '../../wires/values.ts'

const VALUES_MAX = 200
const TRIES_MAX = 200
/** Longer texts are cut at the start, because the result is at the end. */
const CHARACTERS_MAX = 60_000

/** The complete outermost objects and arrays of a text, in order. */
export function findJsonValues(whole: string): unknown[] {
  const text = whole.slice(-CHARACTERS_MAX)
  const values: unknown[] = []
  let at = 0
  for (let tries = 0; tries < TRIES_MAX && values.length < VALUES_MAX; tries++) {
    const start = findStart(text, at)
    if (start === -1) break
    const end = endOfJson(text, start)
    const value = end === -1 ? undefined : tryParse(text.slice(start, end))
    if (value !== undefined) values.push(value)
    // An incomplete or invalid value may contain a complete one.
    at = value === undefined ? start + 1 : end
  }
  return values
}

const REASONING_TAG = /<(\/?)(think|thinking|reasoning)>/gi

/** Removes reasoning tags and their content. Everything before an end tag without a start tag is removed. */
export function stripReasoning(text: string): string {
  const kept = stripClosedTags(text)
  const unmatched = [...kept.matchAll(REASONING_TAG)].findLast(([, slash]) => slash === '/')
  return unmatched ? kept.slice(unmatched.index + unmatched[0].length) : kept
}

/** Removes from each start tag to the next end tag of the same name. A start tag without an end tag stays. */
function stripClosedTags(text: string): string {
  const tags = Array.from(
    text.matchAll(REASONING_TAG),
    ({ index, 0: { length }, 1: slash, 2: name = '' }) => ({
      at: index,
      end: index + length,
      isEnd: slash === '/',
      name: name.toLowerCase(),
    }),
  )
  const lastEnds = new Map(tags.filter(({ isEnd }) => isEnd).map(({ name, at }) => [name, at]))
  const kept: string[] = []
  let from = 0
  let openTag: string | null = null
  for (const { at, end, isEnd, name } of tags) {
    if (openTag === null && !isEnd && (lastEnds.get(name) ?? -1) > at) {
      kept.push(text.slice(from, at))
      openTag = name
    } else if (isEnd && name === openTag) {
      from = end
      openTag = null
    }
  }
  return kept.join('') + text.slice(from)
}

function findStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '{' || text[at] === '[') return at
  return -1
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
