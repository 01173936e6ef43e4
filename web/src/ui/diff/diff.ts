// The difference of two texts, line by line, in hunks with a few lines of context. Pure.

/** Includes its line break; the last line of a text may have none. */
export type DiffLine = {
  kind: 'same' | 'del' | 'add'
  text: string
  oldNo: number | null
  newNo: number | null
}
export type Hunk = {
  oldStart: number
  oldCount: number
  newStart: number
  newCount: number
  lines: readonly DiffLine[]
}
export type Diff = { added: number; removed: number; hunks: readonly Hunk[] }

/** Lines of context around a change. */
const CONTEXT_LINES = 3
/** Texts with more differences count as rewritten between their common start and end. */
const DIFFERENCES_MAX = 1_000

export function diffOf(before: string, after: string): Diff {
  const lines = numbered(beforeAndAfter(linesOf(before), linesOf(after)))
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  return { added: count('add'), removed: count('del'), hunks: hunksOf(lines) }
}

/** Only LF ends a line: a CR before it belongs to the line, as in git. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? []

type Bare = Pick<DiffLine, 'kind' | 'text'>

function beforeAndAfter(before: readonly string[], after: readonly string[]): Bare[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  const room = Math.min(before.length, after.length) - head
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const gone = before.slice(head, before.length - tail)
  const come = after.slice(head, after.length - tail)
  const same = (text: string): Bare => ({ kind: 'same', text })
  return [
    ...before.slice(0, head).map(same),
    ...delsFirst(shortestEdit(gone, come) ?? rewritten(gone, come)),
    ...before.slice(before.length - tail).map(same),
  ]
}

const rewritten = (gone: readonly string[], come: readonly string[]): Bare[] => [
  ...gone.map((text): Bare => ({ kind: 'del', text })),
  ...come.map((text): Bare => ({ kind: 'add', text })),
]

/** Within one change, removed lines come before added lines. */
function delsFirst(lines: readonly Bare[]): Bare[] {
  const sorted: Bare[] = []
  let come: Bare[] = []
  for (const line of lines) {
    if (line.kind === 'add') come.push(line)
    else if (line.kind === 'del') sorted.push(line)
    else {
      sorted.push(...come, line)
      come = []
    }
  }
  return [...sorted, ...come]
}

/** The shortest edit script by the algorithm of Myers; null beyond DIFFERENCES_MAX. */
function shortestEdit(before: readonly string[], after: readonly string[]): Bare[] | null {
  const [n, m] = [before.length, after.length]
  const most = Math.min(n + m, DIFFERENCES_MAX)
  // By diagonal: the furthest line of the first text with this many differences.
  const reach = new Int32Array(2 * most + 3)
  const at = most + 1
  const earlier: Int32Array[] = []
  for (let d = 0; d <= most; d++) {
    earlier.push(reach.slice(at - d - 1, at + d + 2))
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && get(reach, at + k - 1) < get(reach, at + k + 1))
      let x = isDown ? get(reach, at + k + 1) : get(reach, at + k - 1) + 1
      while (x < n && x - k < m && before[x] === after[x - k]) x++
      reach[at + k] = x
      if (x >= n && x - k >= m) return wayBack(before, after, earlier)
    }
  }
  return null
}

function wayBack(
  before: readonly string[],
  after: readonly string[],
  earlier: readonly Int32Array[],
): Bare[] {
  const way: Bare[] = []
  let [x, y] = [before.length, after.length]
  const same = () => way.push({ kind: 'same', text: before[--x] ?? '' })
  for (let d = earlier.length - 1; d > 0; d--) {
    const reach = earlier[d] ?? new Int32Array()
    const k = x - y
    const isDown = k === -d || (k !== d && get(reach, k + d) < get(reach, k + d + 2))
    const fromX = get(reach, isDown ? k + d + 2 : k + d)
    const fromY = fromX - (isDown ? k + 1 : k - 1)
    while (x > fromX && y > fromY) {
      same()
      y--
    }
    if (isDown) way.push({ kind: 'add', text: after[--y] ?? '' })
    else way.push({ kind: 'del', text: before[--x] ?? '' })
  }
  while (x > 0) same()
  return way.reverse()
}

const get = (numbers: Int32Array, index: number): number => numbers[index] ?? 0

function numbered(lines: readonly Bare[]): DiffLine[] {
  let [oldNo, newNo] = [0, 0]
  return lines.map(({ kind, text }) => ({
    kind,
    text,
    oldNo: kind === 'add' ? null : ++oldNo,
    newNo: kind === 'del' ? null : ++newNo,
  }))
}

function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const spans: [from: number, to: number][] = []
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    const last = spans.at(-1)
    const to = Math.min(lines.length, index + CONTEXT_LINES + 1)
    // Hunks that would touch are merged.
    if (last && index - CONTEXT_LINES <= last[1]) last[1] = to
    else spans.push([Math.max(0, index - CONTEXT_LINES), to])
  }
  return spans.map(([from, to]) => hunkOf(lines.slice(from, to), lines.slice(0, from)))
}

/** A side without lines in the hunk is counted from the line before it, as in patches. */
function hunkOf(lines: readonly DiffLine[], ahead: readonly DiffLine[]): Hunk {
  const start = (side: 'oldNo' | 'newNo') =>
    lines.find((line) => line[side] !== null)?.[side] ??
    ahead.findLast((line) => line[side] !== null)?.[side] ??
    0
  const count = (side: 'oldNo' | 'newNo') => lines.filter((line) => line[side] !== null).length
  return {
    oldStart: start('oldNo'),
    oldCount: count('oldNo'),
    newStart: start('newNo'),
    newCount: count('newNo'),
    lines,
  }
}
