// Removes the wrapping that models add around text: code fences and the file name.
import { stripDecoration } from '@cowrie/workspace/edits/path-comment.ts'

/** Unwraps the lines. A fence or name that may belong to the text stays. */
export function unwrapText(lines: readonly string[], path: string): string[] {
  const named = stripPathLine(lines, path)
  const bare = /\.(md|mdx|markdown)$/i.test(path) ? stripMarkdownFence(named) : stripFences(named)
  return bare === named ? [...named] : stripPathLine(bare, path)
}

/** The fence characters of a line and the text after them. */
export function parseFence(line: string): { marks: string; info: string } | undefined {
  if (line.length > FENCE_CHARS_MAX || !(line.includes('```') || line.includes('~~~'))) return undefined
  const text = line.trim()
  const marks = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  if (marks === undefined) return undefined
  const info = text.slice(marks.length).trim()
  return info.includes('`') ? undefined : { marks, info }
}

/** No fence is longer than this. */
const FENCE_CHARS_MAX = 1_000

export const isFence = (line: string): boolean => parseFence(line) !== undefined

/** Whether one pair of fences wraps all lines. `isOpened`: the opening fence precedes them. */
export function isClosedFence(lines: readonly string[], isOpened: boolean): boolean {
  const [first, last] = findTextEdges(lines)
  const expected = isOpened ? [last] : [first, last]
  const fences = [...lines.keys()].filter((at) => isFence(lines[at] ?? ''))
  return first !== -1 && first !== last && `${fences}` === `${expected}`
}

/** Removes fences at the edges, unless the text contains other fences. */
function stripFences(lines: readonly string[]): readonly string[] {
  const [first, last] = findTextEdges(lines)
  const [isOpened, isClosed] = [isFence(lines[first] ?? ''), isFence(lines[last] ?? '')]
  if (!isOpened && !isClosed) return lines
  if (lines.some((line, at) => at !== first && at !== last && isFence(line))) return lines
  return lines.slice(isOpened ? first + 1 : 0, isClosed ? last : lines.length)
}

function stripMarkdownFence(lines: readonly string[]): readonly string[] {
  const [first, last] = findTextEdges(lines)
  const isWrapped = /^(md|mdx|markdown)$/i.test(parseFence(lines[first] ?? '')?.info ?? '') && last > first
  const isClosed = parseFence(lines[last] ?? '')?.info === ''
  // The last fence closes the wrapping only if the inner fences come in pairs.
  const inner = lines.slice(first + 1, last).filter(isFence).length
  return isWrapped && isClosed && inner % 2 === 0 ? lines.slice(first + 1, last) : lines
}

/** Removes a first line that is only the file name. A comment with the name may belong to the file. */
function stripPathLine(lines: readonly string[], path: string): string[] {
  const [first] = findTextEdges(lines)
  const line = (lines[first] ?? '').trim()
  const name = line.endsWith(':') ? line.slice(0, -1) : line
  return path !== '' && stripDecoration(name) === path ? lines.slice(first + 1) : [...lines]
}

function findTextEdges(lines: readonly string[]): [first: number, last: number] {
  const isText = (line: string) => line.trim() !== ''
  return [lines.findIndex(isText), lines.findLastIndex(isText)]
}
