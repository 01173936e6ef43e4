// tree-sitter-python 0.25 reads the rest of a run of comment lines again after each of them.

const LINES_MAX = 100
const TOKEN =
  /"""(?:\\.|(?!""")[^\\])*"""|'''(?:\\.|(?!''')[^\\])*'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*/gs

/** Replaces the comments of long runs with spaces, so that all other offsets are unchanged. */
export function blankCommentRuns(text: string): string {
  const runs: Range[][] = []
  let run: Range[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (!token.startsWith('#') || text.slice(lineStart(text, index), index).trim() !== '') continue
    const last = run.at(-1)
    if (last && text.slice(last.end, index).trim() !== '') run = []
    if (run.length === 0) runs.push(run)
    run.push({ start: index, end: index + token.length })
  }
  const blanked = runs.filter(({ length }) => length > LINES_MAX).flat()
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of blanked) {
    pieces.push(text.slice(at, start), ' '.repeat(end - start))
    at = end
  }
  return pieces.join('') + text.slice(at)
}

type Range = { readonly start: number; readonly end: number }

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1
