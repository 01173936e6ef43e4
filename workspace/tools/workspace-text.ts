// Reads a file of the workspace as text, and names the reason if there is none.
import { isUtf8 } from 'node:buffer'
import { foldPath, isCleanContextPath, pathProblem } from '../paths/clean-path.ts'
import { showBytes, showCount, showPath } from '../text/plain-text.ts'
import type { FileToolContext, LeftOutFile, ToolWorkspace } from './tool-types.ts'

export const FILE_BYTES_MAX: number = 2 << 20
const BINARY_PROBE_BYTES = 8_192

/** Undefined for a binary file and for text that is not UTF-8. */
export function decodeText(content: Buffer): string | undefined {
  if (content.subarray(0, BINARY_PROBE_BYTES).includes(0) || !isUtf8(content)) return undefined
  return content.toString('utf8')
}

export type WorkspaceText = { readonly text: string } | { readonly problem: string }

/** The raw text, with its secrets. Files that hold secrets are refused. */
export async function readWorkspaceText(
  { workspace, mask }: FileToolContext,
  path: string,
): Promise<WorkspaceText> {
  const shown = showPath(path)
  if (!isCleanContextPath(path)) return { problem: `${shown} is not a path in the workspace. ${PATH_RULE}` }
  const file = workspace.files.get(path)
  if (!file) return { problem: describeMissing(workspace, path) }
  if (mask.isWithheldFile(path)) {
    // Its values are learned, so that they are hidden elsewhere too, and the file is reported as withheld.
    await mask.hide(path, (await workspace.read(path))?.toString() ?? '')
    return { problem: withheldProblem(path) }
  }
  if (file.bytes > FILE_BYTES_MAX)
    return {
      problem: `${shown} has ${showBytes(file.bytes)}, which is too large to read. Use run to print parts of it.`,
    }
  const content = await workspace.read(path)
  if (content === null) return { problem: `${shown} could not be read.` }
  const text = decodeText(content)
  return text === undefined ? { problem: `${shown} is not text (${showBytes(file.bytes)}).` } : { text }
}

const PATH_RULE =
  'Paths are relative to the root of the workspace, with forward slashes and without "..", and never inside .git.'

export const withheldProblem = (path: string): string =>
  `${showPath(path)} holds secrets and is withheld. Only the person who started the task can allow it.`

const REASONS: Readonly<Record<LeftOutFile['reason'], string>> = {
  submodule: 'a submodule, which is not part of the workspace',
  lfs: 'stored in Git LFS and not downloaded',
  link: 'a symbolic link, which is not followed',
  too_large: 'too large for the workspace',
  unsafe_path: 'not in the workspace because of its path',
  excluded: 'excluded by .cowrieignore or by the settings of the user',
  special: 'neither a file nor a folder',
  other: 'not part of the workspace',
}

export const describeSkipped = ({ path, reason }: LeftOutFile): string =>
  `${showPath(path)} is ${REASONS[reason]}`

/** The skipped entry at the path or above it. Links and submodules have no files of the workspace below them. */
export function findSkipped({ skipped }: ToolWorkspace, path: string): LeftOutFile | undefined {
  const folded = foldPath(path)
  return skipped.find((each) => {
    const above = foldPath(each.path)
    return folded === above || folded.startsWith(`${above}/`)
  })
}

export const isFolder = ({ files }: ToolWorkspace, path: string): boolean => {
  for (const each of files.keys()) if (each.startsWith(`${path}/`)) return true
  return false
}

const SUGGESTIONS_MAX = 5

function describeMissing(workspace: ToolWorkspace, path: string): string {
  const shown = showPath(path)
  const skipped = findSkipped(workspace, path)
  if (skipped) return `${describeSkipped(skipped)}.`
  if (isFolder(workspace, path)) return `${shown} is a folder. Use list to see its files.`
  const closest = findClosestPaths(workspace.files.keys(), path)
  if (closest.length === 0)
    return `There is no file ${shown}. The workspace has ${showCount(workspace.files.size, 'file')}; use list or search.`
  return `There is no file ${shown}. Did you mean ${closest.map(showPath).join(', ')}?`
}

/** Files with the same or a similar name, those in similar folders first. */
export function findClosestPaths(paths: Iterable<string>, path: string): string[] {
  const wanted = path.toLowerCase().split('/')
  const name = wanted.at(-1) ?? ''
  const stem = stemOf(name)
  const found: { path: string; score: number }[] = []
  for (const each of paths) {
    const parts = each.toLowerCase().split('/')
    const last = parts.at(-1) ?? ''
    const likeness = last === name ? 100 : stemOf(last) === stem ? 60 : isSimilar(last, name) ? 30 : 0
    if (likeness > 0)
      found.push({ path: each, score: likeness + parts.filter((part) => wanted.includes(part)).length })
  }
  return found
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length)
    .slice(0, SUGGESTIONS_MAX)
    .map((each) => each.path)
}

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '').replace(/[^a-z0-9]/g, '')

/** Both names share a long beginning or end. */
function isSimilar(a: string, b: string): boolean {
  const [x, y] = [stemOf(a), stemOf(b)]
  const length = Math.max(x.length, y.length)
  if (Math.min(x.length, y.length) < 4) return false
  let start = 0
  while (start < length && x[start] === y[start]) start += 1
  let end = 0
  while (end < length - start && x.at(-1 - end) === y.at(-1 - end)) end += 1
  return start + end >= length - 2
}

export const pathRefusal = (path: string): string | undefined =>
  pathProblem(path) === undefined
    ? undefined
    : `${showPath(path)} is not a path in the workspace. ${PATH_RULE}`
