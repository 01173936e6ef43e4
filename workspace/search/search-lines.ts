// The parts of the tool `search` for text and regular expressions: which files, which expression, and the result.
import { createGlob } from '../text/glob.ts'
import { cutLine, showCount, showPath, toPlainText } from '../text/plain-text.ts'
import { succeed } from '../tools/tool-result.ts'
import type { FileToolContext, SearchInput, ToolResult } from '../tools/tool-types.ts'
import type { LineQuery } from './line-matcher.ts'
import type { ScanOutput } from './scan.ts'

export const LIMIT_DEFAULT = 50
export const MATCHES_PER_FILE = 20
const LINE_CHARACTERS_MAX = 310
const BYTES_MAX = 30_000

export type SelectedPaths = { readonly paths: readonly string[]; readonly withheld: number }

/** Files that hold secrets are never searched. */
export function selectPaths(
  { workspace, mask }: Pick<FileToolContext, 'workspace' | 'mask'>,
  { path, glob }: SearchInput,
): SelectedPaths | string {
  const isMatch = glob === undefined ? undefined : createGlob(glob)
  if (glob !== undefined && isMatch === undefined) return 'The glob has too many alternatives.'
  const prefix = path === undefined || path === '' ? '' : `${path}/`
  const paths: string[] = []
  let withheld = 0
  for (const each of workspace.files.keys()) {
    if (prefix !== '' && !each.startsWith(prefix) && each !== path) continue
    if (isMatch && !isMatch(each) && !isMatch(each.slice(prefix.length))) continue
    if (mask.isWithheldFile(each)) withheld += 1
    else paths.push(each)
  }
  return { paths, withheld }
}

/** Models often write the flags of other languages, such as `(?i)`. */
export function readRegex(source: string): LineQuery | string {
  const [all = '', letters = ''] = /^\(\?([imsx]+)\)/.exec(source) ?? []
  const flags = [...new Set(letters)].filter((letter) => letter === 'i' || letter === 's').join('')
  try {
    new RegExp(source.slice(all.length), flags)
    return { kind: 'regex', source: source.slice(all.length), flags }
  } catch (error) {
    return `This is not a regular expression of JavaScript: ${toPlainText((error as Error).message)}`
  }
}

export function showMatches(found: ScanOutput, withheld: number): ToolResult {
  const { files, moreFiles, moreMatches } = found
  const notes = describeLimits(found, withheld)
  if (files.length === 0)
    return succeed([`No match in ${showCount(found.searched, 'file')}.`, ...notes].join('\n'))
  const lines: string[] = []
  let bytes = 0
  let [shown, cut] = [0, 0]
  for (const { path, matches, count } of files) {
    const rows = matches.map(
      ({ line, text }) => `  ${line}| ${cutLine(toPlainText(text), LINE_CHARACTERS_MAX)}`,
    )
    const left = count - matches.length
    const block = [
      showPath(path),
      ...rows,
      ...(left > 0 ? [`  … ${showCount(left, 'more match')} in this file`] : []),
    ]
    bytes += Buffer.byteLength(block.join('\n'))
    if (bytes > BYTES_MAX && shown > 0) {
      cut += count
      continue
    }
    shown += matches.length
    lines.push(...block)
  }
  const total = files.reduce((sum, { count }) => sum + count, 0) + moreMatches
  const isMore = found.filesLeft > 0
  const more = moreMatches + cut
  if (more > 0)
    lines.push(`… ${showCount(more, 'more match')} in other files. Narrow the search with path or glob.`)
  const header = `${isMore ? 'At least ' : ''}${showCount(total, 'match')} in ${showCount(files.length + moreFiles, 'file')}:`
  return succeed([header, ...lines, ...notes].join('\n'), { isTruncated: more > 0 || shown < total })
}

function describeLimits({ binary, large, filesLeft }: ScanOutput, withheld: number): string[] {
  const parts = [
    ...(binary > 0 ? [`${showCount(binary, 'binary file')}`] : []),
    ...(large > 0 ? [`${showCount(large, 'file')} over 1 MB`] : []),
    ...(withheld > 0 ? [`${showCount(withheld, 'file')} with secrets`] : []),
    ...(filesLeft > 0 ? [`${showCount(filesLeft, 'file')} because a limit was reached`] : []),
  ]
  return parts.length === 0 ? [] : [`Not searched: ${parts.join(', ')}.`]
}
