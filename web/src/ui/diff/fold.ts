// The unchanged lines between the hunks of a file: how many are hidden, and those that the reader asked for.
import type { DiffLine, Hunk } from './diff.ts'

/** Hidden lines by their new numbers. `to` is null where the length of the file is not known yet. */
export type Gap = { from: number; to: number | null }
/** Lines that are shown again: after the hunk before the gap, and before the hunk after it. */
export type ShownLines = { top: number; bottom: number }

export const STEP_LINES = 20
const CONTEXT_LINES = 3

/** One gap before each hunk and one after the last. Null: nothing is hidden there. */
export function gapsOf(hunks: readonly Hunk[], lineCount: number | null): (Gap | null)[] {
  const gaps: (Gap | null)[] = []
  let from = 1
  for (const hunk of hunks) {
    const to = firstNew(hunk) - 1
    gaps.push(to >= from ? { from, to } : null)
    from = firstNew(hunk) + hunk.newCount
  }
  const last = hunks.at(-1)
  const isAtEnd = !last || trailingContext(last) < CONTEXT_LINES
  if (lineCount === null) gaps.push(isAtEnd ? null : { from, to: null })
  else gaps.push(from <= lineCount ? { from, to: lineCount } : null)
  return gaps
}

/** The number of the first line at or after the hunk. */
const firstNew = ({ newStart, newCount }: Hunk): number => (newCount === 0 ? newStart + 1 : newStart)

function trailingContext({ lines }: Hunk): number {
  const last = lines.findLastIndex(({ kind }) => kind !== 'same')
  return lines.length - 1 - last
}

/** The part of a gap that stays hidden; null if all of it is shown. */
export function hiddenPart(gap: Gap, { top, bottom }: ShownLines): Gap | null {
  const from = gap.from + top
  if (gap.to === null) return { from, to: null }
  const to = gap.to - bottom
  return from <= to ? { from, to } : null
}

/** Lines of the current file as context. `shift` is what the hunks before have added. */
export function contextLines(
  content: readonly string[],
  from: number,
  to: number,
  shift: number,
): DiffLine[] {
  const lines: DiffLine[] = []
  for (let newNo = from; newNo <= Math.min(to, content.length); newNo++)
    lines.push({ kind: 'same', text: content[newNo - 1] ?? '', oldNo: newNo - shift, newNo })
  return lines
}

/** The lines that the hunks before a gap have added. */
export const shiftBefore = (hunks: readonly Hunk[], gap: number): number =>
  hunks.slice(0, gap).reduce((sum, { newCount, oldCount }) => sum + newCount - oldCount, 0)

/** Each hunk with the lines around it that are shown, and the gaps between them. */
export function unfold(
  hunks: readonly Hunk[],
  gaps: readonly (Gap | null)[],
  shown: readonly (ShownLines | undefined)[],
  content: readonly string[] | null,
): { hunks: DiffLine[][]; hidden: (Gap | null)[] } {
  const hidden = gaps.map((gap, i) => gap && hiddenPart(gap, shown[i] ?? NONE))
  const lines = hunks.map((hunk, i) => {
    if (!content) return [...hunk.lines]
    return [
      ...between(content, linesAbove(gaps[i], hidden[i], i === 0), shiftBefore(hunks, i)),
      ...hunk.lines,
      ...between(content, linesBelow(gaps[i + 1], hidden[i + 1]), shiftBefore(hunks, i + 1)),
    ]
  })
  return { hunks: lines, hidden }
}

const NONE: ShownLines = { top: 0, bottom: 0 }

type Span = readonly [from: number, to: number]

const between = (content: readonly string[], [from, to]: Span, shift: number): DiffLine[] =>
  contextLines(content, from, to, shift)

/** A gap that is shown completely belongs to the hunk before it. The first one has none. */
function linesAbove(gap: Gap | null | undefined, hidden: Gap | null | undefined, isFirst: boolean): Span {
  if (!gap?.to) return [1, 0]
  if (hidden) return [(hidden.to ?? gap.to) + 1, gap.to]
  return isFirst ? [gap.from, gap.to] : [1, 0]
}

function linesBelow(gap: Gap | null | undefined, hidden: Gap | null | undefined): Span {
  if (!gap) return [1, 0]
  return [gap.from, hidden ? hidden.from - 1 : (gap.to ?? gap.from - 1)]
}
