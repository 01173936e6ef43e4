// Opens the workspace of a task on this machine: the base, and the changes on top of it.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { findInstallation } from '../../review/review.ts'
import type { SandboxTree } from '../../sandbox/sandbox.ts'
import { type BaseFile, type ChangeRow, listBaseFiles, listChanges } from '../files-sql.ts'
import { openRepository } from '../repository/repository.ts'
import type { Task } from '../tasks-sql.ts'
import type { FileChange, RepositoryWorkspace, SkippedFile } from '../types.ts'
import type { Workspace, WorkspaceFile } from './workspace.ts'

export type OpenWorkspace = Workspace & {
  /** Puts changes on top. They must be stored already. */
  apply(changes: readonly FileChange[]): void
  /** The content before the first change of the task; null if there was no such file. */
  readBase(path: string): Promise<Buffer | null>
  /** The files as they were after the change with this number. */
  treeAt(change: number): SandboxTree
  /** Paths whose content differs between that state and now. */
  changedSince(change: number): string[]
  close(): void
}

/** The base of a workspace: a folder on this machine, or files in memory. */
type WorkspaceBase = {
  readonly kind: 'files' | 'repository'
  readonly folder: string | null
  readonly contents: ReadonlyMap<string, Buffer>
  readonly files: ReadonlyMap<string, WorkspaceFile>
  readonly skipped: readonly SkippedFile[]
  readonly repo: string | null
  release(): void
}

/** Throws an `ApiError` when the files cannot be had. Not for client workspaces, whose files stay with the caller. */
export async function openWorkspace(app: App, task: Task, signal: AbortSignal): Promise<OpenWorkspace> {
  const { base, changes } = await app.db.tx(task.orgId, async (tx) => ({
    base: task.workspace.kind === 'files' ? await listBaseFiles(tx, task) : [],
    changes: await listChanges(tx, task, task.changes),
  }))
  const opened =
    task.workspace.kind === 'repository'
      ? await openRepositoryBase(app, task, task.workspace, signal)
      : filesBase(base)
  return layered(opened, changes)
}

async function openRepositoryBase(
  app: App,
  { orgId }: Task,
  { installationId, repository, commit }: RepositoryWorkspace,
  signal: AbortSignal,
): Promise<WorkspaceBase> {
  const installation = await app.db.tx(orgId, (tx) => findInstallation(tx, orgId, installationId))
  if (!installation) throw new ApiError('installation_unavailable')
  const snapshot = await openRepository(app, { orgId, installation, repository, commit, signal })
  const { folder, files, skipped } = snapshot
  return {
    kind: 'repository',
    folder,
    contents: new Map(),
    files,
    skipped,
    repo: repository,
    release: () => snapshot.release(),
  }
}

function filesBase(rows: readonly BaseFile[]): WorkspaceBase {
  const contents = new Map(rows.flatMap(({ path, content }) => (content ? [[path, content] as const] : [])))
  const files = new Map([...contents].map(([path, { length }]) => [path, { bytes: length }]))
  return { kind: 'files', folder: null, contents, files, skipped: [], repo: null, release: () => undefined }
}

type StoredChange = FileChange & { readonly isOriginal?: boolean }

function layered(base: WorkspaceBase, stored: readonly ChangeRow[]): OpenWorkspace {
  const history: StoredChange[] = []
  const current = new Map<string, string | null>()
  const files = new Map(base.files)
  const apply = (changes: readonly StoredChange[]) => {
    for (const change of changes) {
      const { path, content } = change
      history.push(change)
      putChange(current, change)
      const original = base.files.get(path)
      if (change.isOriginal ? original === undefined : content === null) files.delete(path)
      else if (change.isOriginal && original) files.set(path, original)
      else files.set(path, { bytes: Buffer.byteLength(content ?? '') })
    }
    return sortByPath(files)
  }
  apply(stored)
  const readBase = (path: string) => readFromBase(base, path)
  return {
    kind: base.kind,
    repo: base.repo,
    files,
    skipped: base.skipped,
    apply,
    readBase,
    async read(path) {
      const changed = current.get(path)
      if (changed !== undefined) return changed === null ? null : Buffer.from(changed)
      return readBase(path)
    },
    get tree() {
      return treeOf(base, current)
    },
    treeAt: (change) => treeOf(base, overlayAt(history, change)),
    changedSince(change) {
      const then = overlayAt(history, change)
      const paths = new Set([...then.keys(), ...current.keys()])
      return [...paths].filter((path) => then.get(path) !== current.get(path)).sort()
    },
    close: () => base.release(),
  }
}

function putChange(overlay: Map<string, string | null>, { path, content, isOriginal }: StoredChange): void {
  if (isOriginal) overlay.delete(path)
  else overlay.set(path, content)
}

/** The changes up to a number, by path. They are numbered from 1 without gaps. */
export function overlayAt(history: readonly StoredChange[], change: number): Map<string, string | null> {
  const overlay = new Map<string, string | null>()
  for (const each of history.slice(0, change)) putChange(overlay, each)
  return overlay
}

/** New files come last in a map, and the files of a workspace are sorted. */
function sortByPath(files: Map<string, WorkspaceFile>): void {
  let last = ''
  let isSorted = true
  for (const path of files.keys()) {
    isSorted &&= last < path
    last = path
  }
  if (isSorted) return
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  files.clear()
  for (const [path, file] of sorted) files.set(path, file)
}

function treeOf(base: WorkspaceBase, overlay: ReadonlyMap<string, string | null>): SandboxTree {
  const files = new Map<string, string | Uint8Array>(base.contents)
  const deleted = new Set<string>()
  for (const [path, content] of overlay) {
    if (content !== null) files.set(path, content)
    else if (!files.delete(path)) deleted.add(path)
  }
  return { folder: base.folder, files, deleted }
}

async function readFromBase(
  { folder, contents, files }: WorkspaceBase,
  path: string,
): Promise<Buffer | null> {
  const content = contents.get(path)
  if (content || folder === null || !files.has(path)) return content ?? null
  const file = await open(join(folder, path))
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}
