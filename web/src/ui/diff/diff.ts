// The lines and hunks of a difference.

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

/** Only LF ends a line: a CR before it belongs to the line, as in git. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? []
