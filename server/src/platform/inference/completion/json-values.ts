// JSON in what a model says: it thinks aloud before, explains after, and sometimes stops in the middle.

const VALUES_MAX = 200
const TRIES_MAX = 200
/** More than an answer may have; what counts is said at its end. */
const CHARACTERS_MAX = 60_000

/** The complete objects and arrays of a text, in their order. What stands inside another is part of that one. */
export function findJsonValues(whole: string): unknown[] {
  const text = whole.slice(-CHARACTERS_MAX)
  const values: unknown[] = []
  let at = 0
  for (let tries = 0; tries < TRIES_MAX && values.length < VALUES_MAX; tries++) {
    const start = findStart(text, at)
    if (start === -1) break
    const end = findEnd(text, start)
    const value = end === -1 ? undefined : tryParse(text.slice(start, end))
    if (value !== undefined) values.push(value)
    // What is not complete, or is no JSON, may have something complete inside.
    at = value === undefined ? start + 1 : end
  }
  return values
}

/** Whether a text begins as JSON does and stops before its end. What is wrong in another way was not cut. */
export function isTruncatedJson(text: string): boolean {
  const value = text.trim()
  return (value.startsWith('{') || value.startsWith('[')) && findEnd(value, 0) === -1
}

const REASONING_TAG = /<(\/?)(think|thinking|reasoning)>/gi

/** Without what stands between the tags of thinking; of an end without a beginning, all that comes before it goes. */
export function stripReasoning(text: string): string {
  const spoken = stripClosedTags(text)
  const lone = [...spoken.matchAll(REASONING_TAG)].findLast(([, slash]) => slash === '/')
  return lone ? spoken.slice(lone.index + lone[0].length) : spoken
}

/** From each beginning to the next end of its name. A beginning without an end is text. */
function stripClosedTags(text: string): string {
  const tags = Array.from(
    text.matchAll(REASONING_TAG),
    ({ index, 0: { length }, 1: slash, 2: name = '' }) => ({
      at: index,
      behind: index + length,
      isEnd: slash === '/',
      name: name.toLowerCase(),
    }),
  )
  const lastEnds = new Map(tags.filter(({ isEnd }) => isEnd).map(({ name, at }) => [name, at]))
  const spoken: string[] = []
  let from = 0
  let thought: string | null = null
  for (const { at, behind, isEnd, name } of tags) {
    if (thought === null && !isEnd && (lastEnds.get(name) ?? -1) > at) {
      spoken.push(text.slice(from, at))
      thought = name
    } else if (isEnd && name === thought) {
      from = behind
      thought = null
    }
  }
  return spoken.join('') + text.slice(from)
}

function findStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '{' || text[at] === '[') return at
  return -1
}

/** Behind the bracket that closes the one at `start`; -1 when none does. Brackets inside strings are none. */
function findEnd(text: string, start: number): number {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isString) {
      if (character === '\\') at++
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
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
