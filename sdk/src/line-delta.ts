// A text as the difference from an earlier one, for results of tools that change little between two calls.

/**
 * In order: new text; `[from, count]`, lines of the base, from 0; `[from, count, number, width]`, such lines whose numbers (`12| …`)
 * are replaced by consecutive ones from `number`, with at least `width` characters. Empty: the text is the base.
 */
export type LineDelta = (string | number[])[]

/** Longer differences are not worth their parts, and the service accepts no more. */
const PARTS_MAX = 5_000
/** Places of a line in the base that are tried for the longest copy. */
const TRIED_MAX = 8
/** An exact copy of so many lines is no coincidence. */
const SURE_LINES = 8
/** About the JSON of a copy between two texts. A shorter copy is not worth it. */
const COPY_CHARACTERS = 16

export function lineDelta(base: string, text: string): LineDelta {
  if (base === text) return []
  const [known, lines] = [splitLines(base), splitLines(text)]
  const exact = indexOf(known)
  const unnumbered = indexOf(known.map(contentOf))
  const parts: LineDelta = []
  let fresh = ''
  let expected = 0
  for (let at = 0; at < lines.length; ) {
    const copied = longest(exact.get(lines[at] ?? ''), expected, (from) => sameLines(known, lines, from, at))
    const numbered = copied.count < SURE_LINES ? longestNumbered(at) : NONE
    const { from, count } = numbered.count > copied.count ? numbered : copied
    if (count === 0 || isShort(at, count)) fresh += lines.slice(at, at + Math.max(1, count)).join('')
    else {
      if (fresh !== '') parts.push(fresh)
      fresh = ''
      parts.push(numbered.count > copied.count ? [from, count, ...numberOf(lines[at] ?? '')] : [from, count])
      expected = from + count
    }
    at += Math.max(1, count)
  }
  if (fresh !== '' || parts.length === 0) parts.push(fresh)
  return parts.length > PARTS_MAX ? [text] : parts

  function longestNumbered(at: number): Copy {
    const content = contentOf(lines[at] ?? '')
    if (content === undefined) return NONE
    return longest(unnumbered.get(content), expected, (from) => sameNumbered(known, lines, from, at))
  }

  function isShort(at: number, count: number): boolean {
    let characters = 0
    for (let i = at; i < at + count && characters <= COPY_CHARACTERS; i++)
      characters += (lines[i]?.length ?? 0) + 1
    return characters <= COPY_CHARACTERS
  }
}

type Copy = { readonly from: number; readonly count: number }
const NONE: Copy = { from: 0, count: 0 }

/** The longest copy among the places nearest to the expected one. All lines of it are used, so the whole work stays linear. */
function longest(
  places: readonly number[] | undefined,
  expected: number,
  countFrom: (from: number) => number,
): Copy {
  if (!places) return NONE
  let best = NONE
  const start = Math.max(0, firstFrom(places, expected) - TRIED_MAX / 2)
  for (const from of places.slice(start, start + TRIED_MAX)) {
    const count = countFrom(from)
    if (count > best.count || (count === best.count && from === expected)) best = { from, count }
  }
  return best
}

/** The position of the first place that is not before `expected`. */
function firstFrom(places: readonly number[], expected: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < expected) low = middle + 1
    else high = middle
  }
  return low
}

function sameLines(known: readonly string[], lines: readonly string[], from: number, at: number): number {
  let count = 0
  while (at + count < lines.length && known[from + count] === lines[at + count]) count++
  return count
}

/** Counts lines with the same content whose numbers are consecutive and equally wide in the new text. */
function sameNumbered(known: readonly string[], lines: readonly string[], from: number, at: number): number {
  const [first, width] = numberOf(lines[at] ?? '')
  let count = 0
  for (; at + count < lines.length && from + count < known.length; count++) {
    const content = contentOf(known[from + count] ?? '')
    if (content === undefined) break
    if (lines[at + count] !== `${String(first + count).padStart(width)}${content}`) break
  }
  return count
}

/** `| text` of a line with a number in front of it. */
const contentOf = (line: string): string | undefined =>
  /^ *\d{1,9}(?=\| )/.test(line) ? line.slice(line.indexOf('|')) : undefined

function numberOf(line: string): [number: number, width: number] {
  const width = line.indexOf('|')
  return [Number(line.slice(0, width)), width]
}

/** Lines with their ends. */
function splitLines(text: string): string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const next = end === -1 ? text.length : end + 1
    lines.push(text.slice(from, next))
    from = next
  }
  return lines
}

function indexOf(lines: readonly (string | undefined)[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [i, line] of lines.entries()) {
    if (line === undefined) continue
    const known = places.get(line)
    if (known) known.push(i)
    else places.set(line, [i])
  }
  return places
}
