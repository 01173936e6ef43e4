// Reads the patch of one file: the hunks of a unified diff, and the headers that git writes above them.
import type { Diff, DiffLine, Hunk } from './diff.ts'

export type ParsedPatch = Diff & {
  /** The earlier path of a renamed file. */
  renamedFrom: string | null
  isBinary: boolean
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'add', '-': 'del', ' ': 'same', '': 'same' }

export function parsePatch(patch: string): ParsedPatch {
  const lines = patch.split('\n')
  const hunks: Hunk[] = []
  let [added, removed] = [0, 0]
  let renamedFrom: string | null = null
  let isBinary = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const header = HEADER.exec(line)
    if (header) {
      const hunk = readHunk(lines, at + 1, header)
      for (const { kind } of hunk.lines) {
        if (kind === 'add') added++
        if (kind === 'del') removed++
      }
      hunks.push(hunk)
      at += hunk.lines.length
    } else if (line.startsWith('rename from ')) renamedFrom = line.slice('rename from '.length)
    else if (line.startsWith('Binary files ') || line === 'GIT binary patch') isBinary = true
  }
  return { added, removed, hunks, renamedFrom, isBinary }
}

/** The counts of the header say where the hunk ends: a removed line may look like a header. */
function readHunk(all: readonly string[], from: number, header: RegExpExecArray): Hunk {
  const [oldStart, oldCount, newStart, newCount] = [1, 2, 3, 4].map((group) =>
    Number(header[group] ?? 1),
  ) as [number, number, number, number]
  const lines: DiffLine[] = []
  let [oldNo, newNo] = [oldStart, newStart]
  let [gone, come] = [oldCount, newCount]
  for (let at = from; at < all.length; at++) {
    const text = all[at] ?? ''
    if (text.startsWith('\\')) {
      const last = lines.at(-1)
      if (last) last.text = last.text.slice(0, -1)
      continue
    }
    if (gone <= 0 && come <= 0) break
    const kind = KINDS[text.slice(0, 1)]
    if (!kind) break
    if (kind !== 'add') gone--
    if (kind !== 'del') come--
    lines.push({
      kind,
      text: `${text.slice(1)}\n`,
      oldNo: kind === 'add' ? null : oldNo++,
      newNo: kind === 'del' ? null : newNo++,
    })
  }
  return { oldStart, oldCount, newStart, newCount, lines }
}
