// The tool `list`: the folders and files below a path.
import { createGlob } from '../text/glob.ts'
import { showBytes, showCount, showPath } from '../text/plain-text.ts'
import { fail, succeed } from './tool-result.ts'
import type { FileToolContext, ListInput, ToolResult } from './tool-types.ts'
import { describeSkipped, findClosestPaths, findSkipped } from './workspace-text.ts'

const ENTRIES_MAX = 400
const DEPTH_DEFAULT = 2
const SKIPPED_NAMED_MAX = 20

type Entry = { readonly path: string; readonly bytes: number; readonly files: number }

export async function list(context: FileToolContext, input: ListInput): Promise<ToolResult> {
  const { workspace } = context
  const folder = input.path ?? ''
  const isMatch = input.pattern === undefined ? undefined : createGlob(input.pattern)
  if (input.pattern !== undefined && isMatch === undefined)
    return fail('The pattern has too many alternatives.')
  const prefix = folder === '' ? '' : `${folder}/`
  const files = [...workspace.files].filter(
    ([path]) =>
      (path.startsWith(prefix) || path === folder) &&
      (!isMatch || isMatch(path) || isMatch(path.slice(prefix.length))),
  )
  if (files.length === 0) return describeEmpty(context, folder, isMatch !== undefined)
  const entries = chooseEntries(files, prefix, input.depth, isMatch !== undefined)
  const shown = entries.slice(0, ENTRIES_MAX)
  const more = entries.length - shown.length
  const lines = [
    `${folder === '' ? 'The workspace' : `${showPath(folder)}/`} has ${showCount(files.length, 'file')}${isMatch ? ' that match the pattern' : ''}.`,
    ...shown.map(showEntry),
    ...(more > 0
      ? [
          `… ${showCount(more, 'more entry').replace('entrys', 'entries')} left out. List a folder, or use a pattern.`,
        ]
      : []),
    ...describeSkippedBelow(context, prefix),
  ]
  return succeed(lines.join('\n'), { isTruncated: more > 0 })
}

/** Without a depth, the listing is one level deep when two levels have too many entries. */
function chooseEntries(
  files: readonly (readonly [string, { readonly bytes: number }])[],
  prefix: string,
  depth: number | undefined,
  isFlat: boolean,
): Entry[] {
  if (isFlat) return files.map(([path, { bytes }]) => ({ path, bytes, files: 0 }))
  const entries = groupByDepth(files, prefix, depth ?? DEPTH_DEFAULT)
  return depth === undefined && entries.length > ENTRIES_MAX ? groupByDepth(files, prefix, 1) : entries
}

/** Folders at the depth are one entry with the number of their files. */
function groupByDepth(
  files: readonly (readonly [string, { readonly bytes: number }])[],
  prefix: string,
  depth: number,
): Entry[] {
  const entries = new Map<string, Entry>()
  for (const [path, { bytes }] of files) {
    const segments = path.slice(prefix.length).split('/')
    const isFile = segments.length <= depth
    const key = isFile ? path : `${prefix}${segments.slice(0, depth).join('/')}/`
    const before = entries.get(key)
    entries.set(key, {
      path: key,
      bytes: bytes + (before?.bytes ?? 0),
      files: (before?.files ?? 0) + (isFile ? 0 : 1),
    })
  }
  return [...entries.values()]
}

const showEntry = ({ path, bytes, files }: Entry): string =>
  files === 0 ? `${showPath(path)}  ${showBytes(bytes)}` : `${showPath(path)}  ${showCount(files, 'file')}`

function describeEmpty(context: FileToolContext, folder: string, hasPattern: boolean): ToolResult {
  const { workspace } = context
  if (hasPattern) return succeed('No file matches the pattern.')
  if (folder === '') return succeed('The workspace has no files.')
  const skipped = findSkipped(workspace, folder)
  if (skipped) return fail(`${describeSkipped(skipped)}.`)
  const folders = new Set<string>()
  for (const path of workspace.files.keys())
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
      folders.add(path.slice(0, end))
  const closest = findClosestPaths(folders, folder)
  const hint = closest.length > 0 ? ` Did you mean ${closest.map(showPath).join(', ')}?` : ''
  return fail(`There is no folder ${showPath(folder)}.${hint}`)
}

function describeSkippedBelow({ workspace, mask }: FileToolContext, prefix: string): string[] {
  const skipped = workspace.skipped.filter(({ path }) => path.startsWith(prefix))
  const lines = skipped
    .slice(0, SKIPPED_NAMED_MAX)
    .map((each) => `Not in the workspace: ${describeSkipped(each)}.`)
  const more = skipped.length - lines.length
  if (more > 0) lines.push(`Not in the workspace: ${showCount(more, 'other file')}.`)
  let withheld = 0
  for (const path of workspace.files.keys())
    if (path.startsWith(prefix) && mask.isWithheldFile(path)) withheld += 1
  if (withheld > 0) lines.push(`${showCount(withheld, 'file')} with secrets cannot be read.`)
  return lines
}
