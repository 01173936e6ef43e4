// Matches paths against a glob: `*`, `?`, `**`, `[a-z]` and `{a,b}`. Never backtracks over more than one wildcard, so a
// hostile pattern takes no longer than a usual one.

const ALTERNATIVES_MAX = 64

export type PathMatcher = (path: string) => boolean

/** A pattern without a slash matches the file name at any depth. Undefined if the pattern has too many alternatives. */
export function createGlob(pattern: string): PathMatcher | undefined {
  const expanded = expandBraces(pattern.replace(/^\.?\/+/, ''))
  if (expanded === undefined) return undefined
  const globs = expanded.map((each) => {
    const anchored = each.includes('/') ? each : `**/${each}`
    return (anchored.endsWith('/') ? `${anchored}**` : anchored).split('/').map(readSegment)
  })
  return (path) => {
    const segments = path.split('/')
    return globs.some((glob) => matchesList(glob, segments, isAnyDepth, matchesSegment))
  }
}

/** The first braces with a comma are expanded, then the rest. */
function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = []
  const waiting = [pattern]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [all, inner = ''] = /\{([^{}]*,[^{}]*)\}/.exec(next) ?? []
    if (all === undefined) done.push(next)
    else for (const part of inner.split(',').reverse()) waiting.push(next.replace(all, () => part))
    if (done.length + waiting.length > ALTERNATIVES_MAX) return undefined
  }
  return done
}

type Part = '*' | ((character: string) => boolean)
type Segment = '**' | readonly Part[]

const PART = /\*+|\?|\[(!|\^)?([^\]]+)\]|[\s\S]/gu

function readSegment(text: string): Segment {
  if (text === '**') return '**'
  return [...text.matchAll(PART)].map(([part, not, set]): Part => {
    if (part.startsWith('*')) return '*'
    if (part === '?') return () => true
    if (set === undefined) return (character) => character === part
    const isIn = readSet(set)
    return (character) => isIn(character) !== (not !== undefined)
  })
}

function readSet(set: string): (character: string) => boolean {
  const ranges = [...set.matchAll(/([\s\S])-([\s\S])|([\s\S])/gu)].map(([, from, to, one]) => [
    from ?? one ?? '',
    to ?? one ?? '',
  ])
  return (character) => ranges.some(([from = '', to = '']) => from <= character && character <= to)
}

const isAnyDepth = (segment: Segment): boolean => segment === '**'

const matchesSegment = (segment: Segment, text: string): boolean =>
  segment !== '**' &&
  matchesList(
    segment,
    [...text],
    (part) => part === '*',
    (part, character) => part !== '*' && part(character),
  )

/** Matches a list against parts. Only the last wildcard is ever tried again, which is enough for wildcards of any length. */
function matchesList<P>(
  parts: readonly P[],
  items: readonly string[],
  isWild: (part: P) => boolean,
  matches: (part: P, item: string) => boolean,
): boolean {
  let [at, item, wildAt, wildItem] = [0, 0, -1, 0]
  while (item < items.length) {
    const part = parts[at]
    if (part !== undefined && isWild(part)) {
      wildAt = at++
      wildItem = item
    } else if (part !== undefined && matches(part, items[item] ?? '')) {
      at += 1
      item += 1
    } else if (wildAt >= 0) {
      at = wildAt + 1
      item = ++wildItem
    } else return false
  }
  return parts.slice(at).every(isWild)
}
