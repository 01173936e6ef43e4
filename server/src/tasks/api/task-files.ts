// The files of a task: their current content, the difference, and the return to an earlier turn.
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { answer } from '../../platform/http/answer.ts'
import { appendEvents } from '../events.ts'
import {
  CHANGES_MAX,
  type FileState,
  insertChanges,
  listBaseFiles,
  listPatches,
  listStates,
} from '../files-sql.ts'
import type { Revert } from '../request-schema.ts'
import { countChanges, type Task } from '../tasks-sql.ts'
import { findTurn, type TaskTurn } from '../turns-sql.ts'
import type { SkippedFile } from '../types.ts'
import { compareFiles } from '../workspace/compare.ts'
import type { ChangedFile, FileDifference } from '../workspace/differences.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { requireIdleTask, requireTask } from './access.ts'

/** Larger differences are cut at a file. */
export const PATCH_BYTES_MAX = 8 * 1024 * 1024

export type TaskDifference = {
  readonly files: readonly FileDifference[]
  readonly skipped: readonly SkippedFile[]
}

export async function diffTask(app: App, actor: Actor, id: string, from: string | undefined) {
  const stored = await app.db.tx(actor.orgId, async (tx) => {
    const task = await requireTask(tx, actor, id)
    const { changes: change } = task
    const since = from === undefined ? 0 : lastChangeOf(await requireTurn(tx, task, from))
    return task.workspace.kind === 'client'
      ? { change, difference: clientDifference(await listPatches(tx, task, since, PATCH_BYTES_MAX)) }
      : { change, changed: await changedFiles(tx, task, since) }
  })
  const { files, skipped } = stored.difference ?? (await compare(actor, stored.changed))
  const sum = (count: (file: FileDifference) => number) => files.reduce((all, file) => all + count(file), 0)
  return {
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    change: stored.change,
    files: [...files],
    skipped: [...skipped],
  }
}

async function compare({ orgId }: Actor, changed: readonly ChangedFile[]): Promise<TaskDifference> {
  const { files, tooLarge } = await compareFiles(orgId, { files: changed, patchBytesMax: PATCH_BYTES_MAX })
  return { files, skipped: tooLarge.map(toSkipped) }
}

const toSkipped = (path: string): SkippedFile => ({ path, reason: 'too_large' })

/** A patch that `git apply` takes. */
export const toPatch = (files: readonly FileDifference[]): string =>
  files.map(({ patch }) => (patch === '' || patch.endsWith('\n') ? patch : `${patch}\n`)).join('')

/** The files that differ between the state after a change and now. Only stored contents are read. */
export async function changedFiles(tx: Tx, task: Task, since: number): Promise<ChangedFile[]> {
  const originals = new Map((await listBaseFiles(tx, task)).map(({ path, content }) => [path, content]))
  const { then, now, paths } = await readStates(tx, task, since)
  return paths.map((path) => {
    const original = originals.get(path) ?? null
    const before = then.get(path)
    const after = now.get(path)
    return {
      path,
      before: before === undefined ? original : before.content === null ? null : Buffer.from(before.content),
      after: after === undefined ? (original?.toString('utf8') ?? null) : after.content,
    }
  })
}

/** The changed files after a change and now, and the paths that differ. A file with its original content is in neither. */
async function readStates(tx: Tx, task: Task, since: number) {
  const toMap = (states: readonly FileState[]) =>
    new Map(states.flatMap((state) => (state.isOriginal ? [] : [[state.path, state] as const])))
  const then = since === 0 ? new Map<string, FileState>() : toMap(await listStates(tx, task, since))
  const now = toMap(await listStates(tx, task, task.changes))
  // Undefined where the file has its original content, null where it is deleted.
  const paths = [...new Set([...then.keys(), ...now.keys()])]
    .filter((path) => then.get(path)?.content !== now.get(path)?.content)
    .sort()
  return { then, now, paths }
}

/** The files are with the caller, who reported each change as a patch. */
function clientDifference(
  changes: readonly { readonly path: string; readonly patch: string | null }[],
): TaskDifference {
  const tooLarge = new Set(changes.flatMap(({ path, patch }) => (patch === null ? path : [])))
  const files = changes.flatMap(({ path, patch }): FileDifference[] => {
    if (patch === null) return []
    const lines = patch.split('\n')
    const count = (sign: string) =>
      lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length
    const action = lines.some((line) => line.startsWith('--- /dev/null'))
      ? 'create'
      : lines.some((line) => line.startsWith('+++ /dev/null'))
        ? 'delete'
        : 'update'
    const counts = { added: count('+'), removed: count('-') }
    return [{ path, action, ...counts, patch, isBinary: false, isWhole: false, sha256: null }]
  })
  return { files, skipped: [...tooLarge].map(toSkipped) }
}

export async function requireTurn(tx: Tx, task: Task, id: string): Promise<TaskTurn> {
  const turn = await findTurn(tx, task.orgId, id)
  if (!turn || turn.taskId !== task.id)
    throw new ApiError('not_found', { error: 'This task has no such turn.' })
  return turn
}

/** The number of the last change of a turn. */
export function lastChangeOf({ lastChange }: TaskTurn): number {
  if (lastChange === null) throw new ApiError('turn_running')
  return lastChange
}

/** Text is sent as plain text, whatever its language, so that no browser runs it. */
export async function readTaskFile(app: App, actor: Actor, id: string, path: string, signal: AbortSignal) {
  const task = await app.db.tx(actor.orgId, (tx) => requireTask(tx, actor, id))
  if (task.workspace.kind === 'client') throw new ApiError('not_found')
  const content = (await readStored(app, task, path)) ?? (await readOpened(app, task, path, signal))
  if (content === null) throw new ApiError('not_found')
  const isBinary = content.includes(0)
  return answer(200, content, {
    'content-type': isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8',
    'content-disposition': 'inline',
  })
}

/** Undefined where the content is not in the database. */
async function readStored(app: App, task: Task, path: string): Promise<Buffer | null | undefined> {
  return app.db.tx(task.orgId, async (tx) => {
    const changed = (await changedFiles(tx, task, 0)).find((each) => each.path === path)
    if (changed) return changed.after === null ? null : Buffer.from(changed.after)
    if (task.workspace.kind !== 'files') return undefined
    const original = (await listBaseFiles(tx, task)).find((each) => each.path === path)
    return original?.content ?? null
  })
}

async function readOpened(app: App, task: Task, path: string, signal: AbortSignal): Promise<Buffer | null> {
  if (task.workspace.kind !== 'repository') return null
  const workspace = await openWorkspace(app, task, signal)
  try {
    return await workspace.read(path)
  } finally {
    workspace.close()
  }
}

export function requireRoomForChanges(task: Task, added: number): void {
  if (task.changes + added > CHANGES_MAX)
    throw new ApiError('limit_reached', {
      error: `A task can have ${CHANGES_MAX} changes of files. Download its patch, and start a new task.`,
    })
}

/** Restores the files as the turn or the change left them. The later changes stay in the history. */
export function revertTask(app: App, actor: Actor, id: string, { turnId, change, ifChange }: Revert) {
  return app.db.tx(actor.orgId, async (tx) => {
    const task = await requireIdleTask(tx, actor, id)
    if (task.workspace.kind === 'client') throw new ApiError('is_client_workspace')
    if (ifChange !== undefined && ifChange !== task.changes) throw new ApiError('files_changed')
    if (change !== undefined && change > task.changes)
      throw invalidFields({ path: 'change', message: `must be at most ${task.changes}, the last change` })
    const since = change ?? lastChangeOf(await requireTurn(tx, task, turnId ?? ''))
    const { then, paths } = await readStates(tx, task, since)
    if (paths.length === 0) return { changed: [], change: task.changes }
    requireRoomForChanges(task, paths.length)
    const last = await countChanges(tx, task, paths.length)
    const rows = paths.map((path, i) => {
      const state = then.get(path)
      return {
        n: last + 1 + i,
        turnId: null,
        path,
        content: null,
        isOriginal: state === undefined,
        sameAs: state === undefined || state.content === null ? null : state.n,
        patch: null,
      }
    })
    await insertChanges(tx, task, rows)
    await appendEvents(tx, task.id, null, [
      {
        kind: 'status',
        status: 'finished',
        note: 'reverted',
        ...(turnId !== undefined && { detail: turnId }),
      },
    ])
    return { changed: paths, change: last + paths.length }
  })
}
