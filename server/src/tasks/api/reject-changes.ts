// Rejects changes of a task, by hunk or by file. The result is stored as a version of each file, as if the caller had edited it.
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { listBaseFilesAt, listStatesAt, sumEditBytes } from '../edits-sql.ts'
import { appendEvents, type TaskEvent } from '../events.ts'
import { type FileState, insertChanges } from '../files-sql.ts'
import type { Rejection } from '../request-schema.ts'
import { countChanges, type Task } from '../tasks-sql.ts'
import { compareFiles } from '../workspace/compare.ts'
import { sha256Of } from '../workspace/differences.ts'
import { rejectOnWorker } from '../workspace/reject.ts'
import type { RejectedFile, RejectOutput, RejectResult } from '../workspace/reject-task.ts'
import { requireIdleTask } from './access.ts'
import { lastChangeOf, PATCH_BYTES_MAX, requireRoomForChanges, requireTurn } from './task-files.ts'

/** Versions that callers made, of one task. */
const EDIT_BYTES_MAX = 64 * 1024 * 1024

export async function rejectChanges(app: App, actor: Actor, id: string, body: Rejection, once: Once) {
  const { orgId } = actor
  const plan = await app.db.tx(orgId, async (tx) => readPlan(tx, await requireIdleTask(tx, actor, id), body))
  const output = await rejectOnWorker(orgId, { files: plan.files, patchBytesMax: PATCH_BYTES_MAX })
  const { results, files, tooLarge } = requireHunks(output)
  const events = await describe(actor, plan, results)
  return once.commit(orgId, async (tx) => {
    const task = await requireIdleTask(tx, actor, id)
    if (task.changes !== plan.task.changes) await requireSameVersions(tx, task, plan)
    requireRoomForChanges(task, results.length)
    await requireBytes(tx, task, results)
    const before = task.changes
    if (results.length > 0) await store(tx, task, plan, results)
    await appendEvents(tx, task.id, null, events)
    return {
      changed: results.map(({ path }) => path),
      files: [...files],
      skipped: tooLarge.map((path) => ({ path, reason: 'too_large' })),
      before,
      change: before + results.length,
    }
  })
}

type Plan = {
  readonly task: Task
  readonly files: readonly RejectedFile[]
  readonly then: ReadonlyMap<string, FileState>
  readonly now: ReadonlyMap<string, FileState>
}

/** Reads both states of each file, and checks that the caller has seen the current one. */
async function readPlan(tx: Tx, task: Task, { from, files: asked }: Rejection): Promise<Plan> {
  if (task.workspace.kind === 'client') throw new ApiError('is_client_workspace')
  const since = from === undefined ? 0 : lastChangeOf(await requireTurn(tx, task, from))
  const paths = asked.map(({ path }) => path)
  const now = byPath(await listStatesAt(tx, task, task.changes, paths))
  const then = since === 0 ? new Map<string, FileState>() : byPath(await listStatesAt(tx, task, since, paths))
  const originals = new Map((await listBaseFilesAt(tx, task, paths)).map((each) => [each.path, each.content]))
  const contentOf = (state: FileState | undefined, path: string): Buffer | null =>
    state === undefined || state.isOriginal
      ? (originals.get(path) ?? null)
      : state.content === null
        ? null
        : Buffer.from(state.content)
  const unknown = asked.findIndex(({ path }) => !now.has(path))
  if (unknown >= 0)
    throw invalidFields({ path: `files.${unknown}.path`, message: 'is not a file that this task changed' })
  const stale: string[] = []
  const files = asked.flatMap(({ path, sha256, hunks }): RejectedFile[] => {
    const [before, after] = [contentOf(then.get(path), path), contentOf(now.get(path), path)]
    if ((after && sha256Of(after)) !== sha256) stale.push(path)
    if (before === null ? after === null : after !== null && before.equals(after)) return []
    return [{ path, before, after: after?.toString('utf8') ?? null, hunks: hunks ?? null }]
  })
  if (stale.length > 0) throw new ApiError('files_changed', { paths: stale })
  return { task, files, then, now }
}

const byPath = (states: readonly FileState[]): Map<string, FileState> =>
  new Map(states.map((state) => [state.path, state]))

function requireHunks(output: RejectOutput): Exclude<RejectOutput, { readonly unknown: unknown }> {
  if ('unknown' in output) throw new ApiError('files_changed', { paths: [...output.unknown] })
  return output
}

async function describe(
  { orgId }: Actor,
  plan: Plan,
  results: readonly RejectResult[],
): Promise<TaskEvent[]> {
  if (results.length === 0) return []
  const files = results.map(({ path, text }, i) => {
    const { before = null, after = null } = plan.files[i] ?? {}
    const restored = before && Buffer.from(before).toString('utf8')
    return { path, before: after === null ? null : Buffer.from(after), after: text ?? restored }
  })
  const compared = await compareFiles(orgId, { files, patchBytesMax: Number.POSITIVE_INFINITY })
  return [
    { kind: 'status', status: 'finished', note: 'rejected' },
    ...compared.files.map(
      ({ path, action, added, removed }): TaskEvent => ({
        kind: 'change',
        step: null,
        path,
        action,
        added,
        removed,
      }),
    ),
  ]
}

/** Another request changed files since the plan was made. */
async function requireSameVersions(tx: Tx, task: Task, { files, now }: Plan): Promise<void> {
  const paths = files.map(({ path }) => path)
  const later = await listStatesAt(tx, task, task.changes, paths)
  const stale = later.filter(({ path, n }) => now.get(path)?.n !== n)
  if (stale.length > 0) throw new ApiError('files_changed', { paths: stale.map(({ path }) => path) })
}

async function requireBytes(tx: Tx, task: Task, results: readonly RejectResult[]): Promise<void> {
  const added = results.reduce((sum, { text }) => sum + Buffer.byteLength(text ?? ''), 0)
  if (added === 0 || (await sumEditBytes(tx, task)) + added <= EDIT_BYTES_MAX) return
  throw new ApiError('limit_reached', {
    error: `A task can store ${EDIT_BYTES_MAX / 1024 / 1024} MiB of files with rejected hunks. Reject whole files, or ask for the change in a turn.`,
  })
}

async function store(tx: Tx, task: Task, { then }: Plan, results: readonly RejectResult[]): Promise<void> {
  const last = await countChanges(tx, task, results.length)
  const rows = results.map(({ path, text }, i) => {
    const earlier = then.get(path)
    const isOriginal = text === null && (earlier === undefined || earlier.isOriginal)
    return {
      n: last + 1 + i,
      turnId: null,
      path,
      content: text,
      isOriginal,
      sameAs: text !== null || isOriginal || earlier?.content == null ? null : earlier.n,
      patch: null,
    }
  })
  await insertChanges(tx, task, rows)
}
