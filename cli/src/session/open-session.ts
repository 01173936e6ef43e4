// Opens a session: creates its task or continues a stored one, and finds out what became of a turn that an earlier process sent.
import { randomBytes } from 'node:crypto'
import { CowrieError } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import { removeState } from '../system/state-file.ts'
import { type Connection, createConnection } from './connection.ts'
import { takeLock } from './lock.ts'
import { createTaskService, type NewTask, type Task, type TaskService } from './service.ts'
import { createSession } from './session.ts'
import { sessionFiles, sessionsFolder, writeDurably } from './session-files.ts'
import type { OpenedSession, SessionOptions } from './session-options.ts'
import { budgetsOf, readSessionState, type StoredState, UNUSED_STATE } from './state.ts'
import { digestOfTools, readTools } from './tool-sync.ts'
import { settlePending } from './turn-start.ts'
import type { Session } from './types.ts'

/** Opening has no events to show that the service is away, so this ends soon. */
const OPEN_PATIENCE_MS = 15_000

export async function openSession(options: SessionOptions): Promise<Session> {
  const service = createTaskService(options.client)
  const connection = createConnection(() => undefined, { patienceMs: OPEN_PATIENCE_MS })
  const signal = options.signal ?? new AbortController().signal
  return createSession(
    options.taskId === undefined
      ? await createNew(options, { service, connection, signal })
      : await openStored(options, options.taskId, { service, connection, signal }),
  )
}

type Opening = {
  readonly service: TaskService
  readonly connection: Connection
  readonly signal: AbortSignal
}

async function createNew(
  options: SessionOptions,
  { service, connection, signal }: Opening,
): Promise<OpenedSession> {
  const { title, model, budgetMinor, workspaceName, toolbox, root, paths } = options
  // Fails before anything is created.
  const folder = sessionsFolder(paths, root)
  const tools = await readTools(toolbox)
  const { currency, balanceMinor } = await readCurrency(options, connection, signal)
  const key = `cli_${randomBytes(16).toString('hex')}`
  const body: NewTask = {
    ...(title !== undefined && { title }),
    ...(model !== null && { model }),
    ...(budgetMinor !== null && { budgetMinor }),
    workspace: {
      kind: 'client',
      name: workspaceName,
      ...(tools.tools.length > 0 && { tools: tools.tools }),
      ...(tools.conventions && { conventions: tools.conventions }),
    },
  }
  const task = await connection.patiently(() => service.create(body, key, signal), signal)
  const files = sessionFiles(folder, task.id)
  const lock = await takeLock(files.lock)
  const state = {
    ...stateOf(task, options, currency),
    budgetMinor,
    sentBudgetMinor: budgetMinor,
    toolsDigest: digestOfTools(tools),
  }
  await writeDurably(files.state, state)
  return { options, service, files, lock, state, countedSeq: task.lastSeq, notices: [], balanceMinor }
}

async function openStored(
  options: SessionOptions,
  taskId: string,
  { service, connection, signal }: Opening,
): Promise<OpenedSession> {
  const files = sessionFiles(sessionsFolder(options.paths, options.root), taskId)
  const lock = await takeLock(files.lock)
  try {
    const notices: string[] = []
    const { value, damaged } = readSessionState(files.state)
    if (damaged !== null)
      notices.push(`The stored state of this session cannot be read. It was moved to ${damaged}.`)
    else if (value === null)
      notices.push('This session was not started in this folder. Earlier results may not match its files.')
    const task = await readTask(service, connection, taskId, signal)
    const { currency, balanceMinor } = value
      ? { currency: value.currency, balanceMinor: null }
      : await readCurrency(options, connection, signal)
    const stored = value
      ? { ...value, baseUrl: options.baseUrl, account: options.account }
      : stateOf(task, options, currency)
    const settled = await settlePending(files, { taskId, service, connection, signal })
    notices.push(...settled.notices)
    const state = withTask(stored, settled.turnId === null ? task : { ...task, openTurnId: settled.turnId })
    await writeDurably(files.state, state)
    // Only now: without either of them, a turn under way would be unknown.
    removeState(files.pendingTurn)
    return { options, service, files, lock, state, countedSeq: task.lastSeq, notices, balanceMinor }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function readTask(
  service: TaskService,
  connection: Connection,
  taskId: string,
  signal: AbortSignal,
): Promise<Task> {
  try {
    const task = await connection.patiently(() => service.get(taskId, signal), signal)
    if (task.workspace.kind === 'client') return task
  } catch (error) {
    if (!CowrieError.is(error, 'not_found')) throw error
    throw new Failure('session_gone', 'The service has no such session: it was deleted, or is not yours.', {
      next: 'Start a new one with "cowrie".',
    })
  }
  throw new Failure('not_client_workspace', 'The files of this task are not on this computer.', {
    next: 'Open it in the web app with "cowrie open".',
  })
}

async function readCurrency(
  { client, currency }: SessionOptions,
  connection: Connection,
  signal: AbortSignal,
): Promise<{ currency: string; balanceMinor: bigint | null }> {
  if (currency !== undefined) return { currency, balanceMinor: null }
  const me = await connection.patiently(() => client.me.get({ signal, retries: 0 }), signal)
  return { currency: me.currency.code, balanceMinor: me.balanceMinor }
}

/** The state of a session that this computer knows nothing about. */
function stateOf(task: Task, options: SessionOptions, currency: string): StoredState {
  const now = new Date().toISOString()
  const open = task.turns.find(({ finishedAt }) => finishedAt === null)
  return {
    ...UNUSED_STATE,
    version: 1,
    taskId: task.id,
    root: options.root,
    baseUrl: options.baseUrl,
    account: options.account,
    title: options.title ?? task.title,
    currency,
    createdAt: now,
    usedAt: now,
    spentMinor: task.spentMinor,
    budgetMinor: task.budgetMinor,
    sentBudgetMinor: task.budgetMinor,
    seq: open ? open.afterSeq : task.lastSeq,
    openTurn: open ? { turnId: open.id, isOwn: false, isStopWanted: false } : null,
    toolsFolder: options.toolsFolder ?? null,
  }
}

/** A turn of this session that has ended meanwhile stays open here until its events were shown. */
function withTask(stored: StoredState, task: Task & { readonly openTurnId?: string }): StoredState {
  const open = task.turns.find(({ finishedAt }) => finishedAt === null)
  const found = task.openTurnId ?? open?.id
  const openTurn =
    stored.openTurn ??
    (found === undefined
      ? null
      : { turnId: found, isOwn: task.openTurnId !== undefined, isStopWanted: false })
  return {
    ...stored,
    title: task.title === '' ? stored.title : task.title,
    spentMinor: task.spentMinor,
    ...budgetsOf(stored, task),
    seq: Math.min(stored.seq, task.lastSeq),
    openTurn,
    usedAt: new Date().toISOString(),
  }
}
