// Lists one folder of the workspace of a task, as it is now.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { listBaseSizes, listStates } from '../files-sql.ts'
import type { Task } from '../tasks-sql.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import type { WorkspaceFile } from '../workspace/workspace.ts'
import { requireTask } from './access.ts'

const ENTRIES_MAX = 2_000

type FolderEntry = {
  readonly name: string
  readonly kind: 'file' | 'folder'
  /** Of a folder: all its files together. */
  readonly bytes: number
  /** The number of changed files. */
  readonly changed: number
}
type WorkspaceListing = {
  readonly files: ReadonlyMap<string, WorkspaceFile>
  readonly changed: ReadonlySet<string>
}

export async function listTaskFiles(
  app: App,
  actor: Actor,
  { id, prefix }: { readonly id: string; readonly prefix: string },
  signal: AbortSignal,
) {
  const task = await app.db.tx(actor.orgId, (tx) => requireTask(tx, actor, id))
  if (task.workspace.kind === 'client') throw new ApiError('is_client_workspace')
  const { files, changed } =
    task.workspace.kind === 'files' ? await listStored(app, task) : await listOpened(app, task, signal)
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  const entries = toEntries(files, changed, folder)
  if (entries.length === 0 && folder !== '') throw new ApiError('not_found')
  return { entries: entries.slice(0, ENTRIES_MAX), isWhole: entries.length <= ENTRIES_MAX }
}

function listStored(app: App, task: Task): Promise<WorkspaceListing> {
  return app.db.tx(task.orgId, async (tx) => {
    const files = new Map((await listBaseSizes(tx, task)).map(({ path, bytes }) => [path, { bytes }]))
    const changed = new Set<string>()
    for (const { path, content, isOriginal } of await listStates(tx, task, task.changes)) {
      if (isOriginal) continue
      changed.add(path)
      if (content === null) files.delete(path)
      else files.set(path, { bytes: Buffer.byteLength(content) })
    }
    return { files, changed }
  })
}

async function listOpened(app: App, task: Task, signal: AbortSignal): Promise<WorkspaceListing> {
  const workspace = await openWorkspace(app, task, signal)
  try {
    return { files: new Map(workspace.files), changed: new Set(workspace.changedSince(0)) }
  } finally {
    workspace.close()
  }
}

/** Folders first, each group by name. */
function toEntries(
  files: WorkspaceListing['files'],
  changed: WorkspaceListing['changed'],
  folder: string,
): FolderEntry[] {
  const entries = new Map<string, FolderEntry>()
  for (const [path, { bytes }] of files) {
    if (!path.startsWith(folder)) continue
    const [name = '', ...below] = path.slice(folder.length).split('/')
    const kind = below.length > 0 ? 'folder' : 'file'
    const before = entries.get(name)
    entries.set(name, {
      name,
      kind,
      bytes: bytes + (before?.bytes ?? 0),
      changed: (changed.has(path) ? 1 : 0) + (before?.changed ?? 0),
    })
  }
  return [...entries.values()].sort((a, b) =>
    a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind === 'folder' ? -1 : 1,
  )
}
