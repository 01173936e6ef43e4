// What stands between two marks, freed of the wrapping that models add by habit: code fences and the file's own name.
import { undecorated } from './file-mark.ts'

/** Lines as they are meant. A fence or a name that may belong to the text itself stays. */
export function unwrapped(lines: readonly string[], path: string): string[] {
  const named = withoutName(lines, path)
  const bare = /\.(md|mdx|markdown)$/i.test(path) ? withoutMarkdownFence(named) : withoutFences(named)
  return bare === named ? [...named] : withoutName(bare, path)
}

export const isFence = (line: string): boolean => /^\s*(`{3,}|~{3,})[^`]*$/.test(line)

/** A fence at the very edge wraps the code, unless there are others inside: then it is a text about code. */
function withoutFences(lines: readonly string[]): readonly string[] {
  const [first, last] = edgesOf(lines)
  const fences = lines.flatMap((line, at) => (isFence(line) ? [at] : []))
  if (fences.length === 0 || fences.some((at) => at !== first && at !== last)) return lines
  return lines.slice(fences.includes(first) ? first + 1 : 0, fences.includes(last) ? last : lines.length)
}

function withoutMarkdownFence(lines: readonly string[]): readonly string[] {
  const [first, last] = edgesOf(lines)
  const isWrapped = /^\s*(`{3,}|~{3,})(md|mdx|markdown)\s*$/i.test(lines[first] ?? '') && last > first
  const isClosed = /^\s*(`{3,}|~{3,})\s*$/.test(lines[last] ?? '')
  // Inside, fences come in pairs; the last one closes the wrapping only then.
  const inner = lines.slice(first + 1, last).filter(isFence).length
  return isWrapped && isClosed && inner % 2 === 0 ? lines.slice(first + 1, last) : lines
}

/** The bare name of the file in the first line. In a comment it may well belong there. */
function withoutName(lines: readonly string[], path: string): string[] {
  const [first] = edgesOf(lines)
  const line = (lines[first] ?? '').trim().replace(/:$/, '')
  return path !== '' && undecorated(line) === path ? lines.slice(first + 1) : [...lines]
}

function edgesOf(lines: readonly string[]): [first: number, last: number] {
  const isText = (line: string) => line.trim() !== ''
  return [lines.findIndex(isText), lines.findLastIndex(isText)]
}
