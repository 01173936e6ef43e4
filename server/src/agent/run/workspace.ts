// The files of a run or loop: original, current, and the difference.
import { createHash } from 'node:crypto'
import type { FileEdit } from '../edits/apply/apply.ts'

/** Texts by clean relative path. Immutable, so that a loop can return to an earlier attempt. */
export type WorkspaceFiles = ReadonlyMap<string, string>

export const toWorkspace = (files: readonly { path: string; content: string }[]): WorkspaceFiles =>
  new Map(files.map(({ path, content }) => [path, content]))

export function applyEdits(workspace: WorkspaceFiles, edits: readonly FileEdit[]): WorkspaceFiles {
  const changed = new Map(workspace)
  for (const { path, action, content } of edits)
    if (action === 'delete') changed.delete(path)
    else changed.set(path, content)
  return changed
}

/** The workspace with these paths restored to their originals. */
export function restorePaths(
  workspace: WorkspaceFiles,
  base: WorkspaceFiles,
  paths: readonly string[],
): WorkspaceFiles {
  const restored = new Map(workspace)
  for (const path of paths) {
    const content = base.get(path)
    if (content === undefined) restored.delete(path)
    else restored.set(path, content)
  }
  return restored
}

/** Paths that differ, sorted. */
export function listChangedPaths(base: WorkspaceFiles, now: WorkspaceFiles): string[] {
  const paths = new Set([...base.keys(), ...now.keys()])
  return [...paths].filter((path) => base.get(path) !== now.get(path)).sort()
}

/** The edits that turn the original files into the current ones. `why` has the latest description of each path. */
export function diffWorkspaces(
  base: WorkspaceFiles,
  now: WorkspaceFiles,
  why: ReadonlyMap<string, string>,
): FileEdit[] {
  return listChangedPaths(base, now).map((path) => {
    const [before, after] = [base.get(path), now.get(path)]
    return {
      path,
      action: after === undefined ? 'delete' : before === undefined ? 'create' : 'update',
      content: after ?? '',
      description: why.get(path) ?? '',
      baseSha256: before === undefined ? null : sha256(before),
    }
  })
}

/** Equal for equal changes of the same base. */
export function hashState(base: WorkspaceFiles, now: WorkspaceFiles, more: readonly string[] = []): string {
  const hash = createHash('sha256')
  for (const path of listChangedPaths(base, now)) hash.update(JSON.stringify([path, now.get(path) ?? null]))
  for (const text of more) hash.update(JSON.stringify(text))
  return hash.digest('base64url')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
