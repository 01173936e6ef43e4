// The lines of a hunk side by side: removed lines beside the added lines that replace them.
import type { DiffLine } from './diff.ts'

export type SplitRow = { left: DiffLine | null; right: DiffLine | null }

export function splitRows(lines: readonly DiffLine[]): SplitRow[] {
  const rows: SplitRow[] = []
  let gone: DiffLine[] = []
  let come: DiffLine[] = []
  const flush = () => {
    for (let i = 0; i < Math.max(gone.length, come.length); i++)
      rows.push({ left: gone[i] ?? null, right: come[i] ?? null })
    gone = []
    come = []
  }
  for (const line of lines) {
    if (line.kind === 'del' && come.length === 0) gone.push(line)
    else if (line.kind === 'add') come.push(line)
    else {
      flush()
      if (line.kind === 'del') gone.push(line)
      else rows.push({ left: line, right: line })
    }
  }
  flush()
  return rows
}
