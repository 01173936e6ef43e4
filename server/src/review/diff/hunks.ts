// Parses the hunks of one file: visible lines and added lines. A patch can be forged, so every count in a header is checked
// against the lines that follow.

export type Hunks = {
  /** Visible lines of the new side, by number. */
  readonly shown: ReadonlyMap<number, string>
  /** Added lines of the new side. */
  readonly added: ReadonlySet<number>
}

/** The highest line number that is accepted. */
export const LINE_MAX = 200_000

const HEAD = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

export class InvalidPatch extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'PatchUnreadable'
  }
}

/** Parses hunks from a line on. `next` is the first line after them. Throws `InvalidPatch`. */
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

/** Parses a patch as GitHub returns it, with hunks only. */
export function parsePatch(patch: string): Hunks {
  const lines = patch.split('\n')
  const { hunks, next } = parseHunks(lines)
  if (lines.slice(next).some((line) => line !== ''))
    throw new InvalidPatch('it contains text outside of hunks')
  return hunks
}

/** The new side with every visible line at its number. Other lines are blank. */
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
    if (text === undefined) throw new InvalidPatch('a hunk has fewer lines than its header states')
    const mark = text[0] ?? ' '
    if (mark === '\\') continue
    if (mark !== '+') oldLeft--
    if (mark !== '-') newLeft--
    if (!' +-'.includes(mark) || oldLeft < 0 || newLeft < 0)
      throw new InvalidPatch('a hunk does not match its header')
    if (mark === '-') continue
    if (mark === '+') added.add(line)
    shown.set(line++, text.slice(1).replace(/\r$/, ''))
  }
  return lines[at]?.startsWith('\\') ? at + 1 : at
}
