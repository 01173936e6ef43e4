// The hunks of one file's patch: which lines are new, which can be commented on, and what they say. Whoever sends a patch may
// have made it up, so every number in it is checked against what follows.

export type Hunks = {
  /** What the new side says, by line, as far as the patch shows it. */
  readonly shown: ReadonlyMap<number, string>
  /** Lines of the new side that the change brought. */
  readonly added: ReadonlySet<number>
}

/** Lines beyond this are no file that anybody wrote. */
export const LINE_MAX = 200_000

const HEAD = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

export class InvalidPatch extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'PatchUnreadable'
  }
}

/** Reads hunks from a line on, until something else begins; says where that is. Throws `PatchUnreadable`. */
export function parseHunks(lines: readonly string[], from = 0): { hunks: Hunks; next: number } {
  const shown = new Map<number, string>()
  const added = new Set<number>()
  let at = from
  while (at < lines.length) {
    const head = HEAD.exec(lines[at] ?? '')
    if (!head) break
    at = parseHunk(lines, at + 1, head, { shown, added })
  }
  return { hunks: { shown, added }, next: at }
}

/** The hunks of a patch that is nothing else, as GitHub gives them. */
export function parsePatch(patch: string): Hunks {
  const lines = patch.split('\n')
  const { hunks, next } = parseHunks(lines)
  if (lines.slice(next).some((line) => line !== '')) throw new InvalidPatch('a hunk was expected')
  return hunks
}

/** The new side with every shown line at its number; what the patch does not show is blank. */
export function assembleText(hunks: Hunks): string {
  return Array.from({ length: lastLine(hunks) }, (_, index) => hunks.shown.get(index + 1) ?? '').join('\n')
}

export const lastLine = ({ shown }: Hunks): number =>
  shown.keys().reduce((last, line) => Math.max(last, line), 0)

type HunkLines = { readonly shown: Map<number, string>; readonly added: Set<number> }

function parseHunk(
  lines: readonly string[],
  from: number,
  head: RegExpExecArray,
  { shown, added }: HunkLines,
): number {
  let [oldLeft, newLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)]
  let line = Number(head[3])
  if (line + newLeft > LINE_MAX) throw new InvalidPatch(`a hunk goes beyond line ${LINE_MAX}`)
  if (newLeft > 0 && (line < 1 || shown.has(line))) throw new InvalidPatch('hunks are out of order')
  let at = from
  while (oldLeft > 0 || newLeft > 0) {
    const text = lines[at++]
    if (text === undefined) throw new InvalidPatch('a hunk is shorter than it says')
    const mark = text[0] ?? ' '
    if (mark === '\\') continue
    if (mark !== '+') oldLeft--
    if (mark !== '-') newLeft--
    if (!' +-'.includes(mark) || oldLeft < 0 || newLeft < 0)
      throw new InvalidPatch('a hunk does not have the lines it says')
    if (mark === '-') continue
    if (mark === '+') added.add(line)
    shown.set(line++, text.slice(1).replace(/\r$/, ''))
  }
  return lines[at]?.startsWith('\\') ? at + 1 : at
}
