// Creates a task with its workspace.
import { randomBytes } from 'node:crypto'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { routeToModel } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import { openStream } from '../../platform/streams/streams.ts'
import { findInstallation, mayOpenRepository, POLICY_PATH } from '../../review/review.ts'
import { saveClient } from '../client/clients-sql.ts'
import { changeClient, readSentClient } from '../client/task-client.ts'
import { type BaseFile, insertBaseFiles } from '../files-sql.ts'
import { toReadingError } from '../repository/access.ts'
import { resolveRef } from '../repository/repository.ts'
import type { NewTask } from '../request-schema.ts'
import { countTasks, insertTask } from '../tasks-sql.ts'
import type { TaskId, TaskWorkspace } from '../types.ts'
import { requireTask } from './access.ts'
import { readTaskDetail, type TaskDetail } from './read-task.ts'

export const DEFAULT_TITLE = 'New task'
const TASKS_MAX = 10_000
const BYTES_MAX = 24 * 1024 * 1024

export async function createTask(
  app: App,
  actor: Actor,
  body: NewTask,
  once: Once,
  signal: AbortSignal,
): Promise<CommittedReply<TaskDetail>> {
  const { orgId, userId } = actor
  const { title = DEFAULT_TITLE, model = null, budgetMinor = null, instructions = null } = body
  if (model !== null) routeToModel(app, actor, model)
  const files = body.workspace.kind === 'files' ? decodeFiles(body.workspace.files) : []
  const sent = body.workspace.kind === 'client' ? await readSentClient(orgId, body.workspace) : {}
  const client = changeClient(undefined, sent)
  const workspace = await toWorkspace(app, actor, body.workspace, signal)
  const id: TaskId = newId('tsk')
  return once.commit(orgId, async (tx) => {
    await tx.lock(`tasks of ${orgId}`)
    if ((await countTasks(tx, orgId)) >= TASKS_MAX) throw new ApiError('too_many_tasks')
    const nonce = randomBytes(16).toString('hex')
    await insertTask(tx, { id, orgId, userId, title, workspace, model, instructions, budgetMinor, nonce })
    await insertBaseFiles(tx, { id, orgId }, files)
    if (client) await saveClient(tx, { id, orgId }, 1, client)
    await openStream(tx, orgId, id)
    return readTaskDetail(tx, await requireTask(tx, actor, id))
  })
}

/** A repository is resolved to a commit now, so that every turn sees the same base. */
async function toWorkspace(
  app: App,
  { orgId }: Actor,
  asked: NewTask['workspace'],
  signal: AbortSignal,
): Promise<TaskWorkspace> {
  if (asked.kind === 'files') return { kind: 'files' }
  if (asked.kind === 'client') return { kind: 'client', name: asked.name }
  const { installationId, repository, ref } = asked
  if (!app.config.github) throw new ApiError('not_configured')
  const installation = await app.db.tx(orgId, (tx) => findInstallation(tx, orgId, installationId))
  if (!installation) throw new ApiError('not_found', { error: 'Your organisation has no such installation.' })
  const resolved = await resolveRef(app, { installation, repository, ref, signal })
  const externalId = Number(installation.externalId)
  const mayOpen = await mayOpenRepository(app, { orgId, externalId, repository, signal }).catch((error) => {
    throw toReadingError(error)
  })
  if (!mayOpen)
    throw new ApiError('installation_unproven', {
      error: `Your organisation may not open this repository yet. Put a file ${POLICY_PATH} with {"org": "${orgId}"} on its default branch, or on that of the repository .github of its owner.`,
    })
  return { kind: 'repository', installationId, repository, ref: ref ?? resolved.defaultBranch, ...resolved }
}

type SentFiles = Extract<NewTask['workspace'], { kind: 'files' }>['files']

function decodeFiles(files: SentFiles): BaseFile[] {
  const decoded = files.map(({ path, content, encoding = 'utf8' }, i) => {
    if (encoding === 'base64' && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content))
      throw invalidFields({ path: `workspace.files.${i}.content`, message: 'must be base64' })
    return { path, content: Buffer.from(content, encoding) }
  })
  if (decoded.reduce((sum, { content }) => sum + content.length, 0) > BYTES_MAX)
    throw invalidFields({
      path: 'workspace.files',
      message: `must have at most ${BYTES_MAX} bytes in all files together`,
    })
  return decoded
}
