// The files of a task: their current content, the difference, and the return to an earlier turn.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { answer } from '../../platform/http/answer.ts'
import { appendEvents } from '../events.ts'
import { type ChangeRow, insertChanges, listBaseFiles, listChanges } from '../files-sql.ts'
import { countChanges, type Task } from '../tasks-sql.ts'
import { findTurn, type TaskTurn } from '../turns-sql.ts'
import type { SkippedFile } from '../types.ts'
import { type ChangedFile, type FileDifference, toDifference } from '../workspace/differences.ts'
import { openWorkspace, overlayAt } from '../workspace/open-workspace.ts'
import { requireIdleTask, requireTask } from './access.ts'

/** Larger differences are cut at a file. */
const PATCH_BYTES_MAX = 8 * 1024 * 1024

export type TaskDifference = {
  readonly files: readonly FileDifference[]
  readonly skipped: readonly SkippedFile[]
}

export async function diffTask(app: App, actor: Actor, id: string, from: string | undefined) {
  const { files, skipped } = await app.db.tx(actor.orgId, async (tx) => {
    const task = await requireTask(tx, actor, id)
    const since = from === undefined ? 0 : lastChangeOf(await requireTurn(tx, task, from))
    return task.workspace.kind === 'client'
      ? clientDifference(await listChanges(tx, task, task.changes), since)
      : toDifferences(await changedFiles(tx, task, since))
  })
  const sum = (count: (file: FileDifference) => number) => files.reduce((all, file) => all + count(file), 0)
  return {
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    files: [...files],
    skipped: [...skipped],
  }
}

/** A patch that `git apply` takes. */
export const toPatch = (files: readonly FileDifference[]): string =>
  files.map(({ patch }) => (patch === '' || patch.endsWith('\n') ? patch : `${patch}\n`)).join('')

/** The files that differ between the state after a change and now. Only stored contents are read. */
export async function changedFiles(tx: Tx, task: Task, since: number): Promise<ChangedFile[]> {
  const originals = new Map((await listBaseFiles(tx, task)).map(({ path, content }) => [path, content]))
  const changes = await listChanges(tx, task, task.changes)
  const [then, now] = [overlayAt(changes, since), overlayAt(changes, changes.length)]
  const all = [...new Set(changes.map(({ path }) => path))].sort()
  const paths = all.filter((path) => then.get(path) !== now.get(path))
  return paths.map((path) => {
    const original = originals.get(path) ?? null
    const before = then.get(path)
    const after = now.get(path)
    return {
      path,
      before: before === undefined ? original : before === null ? null : Buffer.from(before),
      after: after === undefined ? (original?.toString('utf8') ?? null) : after,
    }
  })
}

function toDifferences(changed: readonly ChangedFile[]): TaskDifference {
  const files: FileDifference[] = []
  const skipped: SkippedFile[] = []
  let bytes = 0
  for (const each of changed) {
    const difference = toDifference(each)
    if (!difference) continue
    bytes += Buffer.byteLength(difference.patch)
    if (bytes > PATCH_BYTES_MAX) skipped.push({ path: each.path, reason: 'too_large' })
    else files.push(difference)
  }
  return { files, skipped }
}

/** The files are with the caller, who reported each change as a patch. */
function clientDifference(changes: readonly ChangeRow[], since: number): TaskDifference {
  const files = changes.slice(since).map(({ path, patch }): FileDifference => {
    const text = patch ?? ''
    const lines = text.split('\n')
    const count = (sign: string) =>
      lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length
    const action = lines.some((line) => line.startsWith('--- /dev/null'))
      ? 'create'
      : lines.some((line) => line.startsWith('+++ /dev/null'))
        ? 'delete'
        : 'update'
    return {
      path,
      action,
      added: count('+'),
      removed: count('-'),
      patch: text,
      isBinary: false,
      isWhole: false,
    }
  })
  return { files, skipped: [] }
}

async function requireTurn(tx: Tx, task: Task, id: string): Promise<TaskTurn> {
  const turn = await findTurn(tx, task.orgId, id)
  if (!turn || turn.taskId !== task.id)
    throw new ApiError('not_found', { error: 'This task has no such turn.' })
  return turn
}

/** The number of the last change of a turn. */
function lastChangeOf({ lastChange }: TaskTurn): number {
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

/** Restores the files as the turn left them. The later changes stay in the history. */
export function revertTask(app: App, actor: Actor, id: string, turnId: string) {
  return app.db.tx(actor.orgId, async (tx) => {
    const task = await requireIdleTask(tx, actor, id)
    if (task.workspace.kind === 'client') throw new ApiError('is_client_workspace')
    const since = lastChangeOf(await requireTurn(tx, task, turnId))
    const changes = await listChanges(tx, task, task.changes)
    const [then, now] = [overlayAt(changes, since), overlayAt(changes, changes.length)]
    const paths = [...new Set(changes.map(({ path }) => path))].filter(
      (path) => then.get(path) !== now.get(path),
    )
    if (paths.length === 0) return { changed: [] }
    const last = await countChanges(tx, task, paths.length)
    const rows = paths.sort().map((path, i) => {
      const content = then.get(path)
      return {
        n: last + 1 + i,
        turnId: null,
        path,
        content: content ?? null,
        isOriginal: content === undefined,
        patch: null,
      }
    })
    await insertChanges(tx, task, rows)
    await appendEvents(tx, task.id, null, [
      { kind: 'status', status: 'finished', note: 'reverted', detail: turnId },
    ])
    return { changed: paths }
  })
}
