// Starts a turn once, whatever happens in between: its key is stored before it is sent.
import { randomBytes } from 'node:crypto'
import { CowrieError, resumable } from '@cowrie/sdk'
import { removeState } from '../system/state-file.ts'
import type { Connection } from './connection.ts'
import type { TaskService } from './service.ts'
import { type SessionFiles, writeDurably } from './session-files.ts'
import { isPendingTurn, type PendingTurn, readStored, type TurnBody } from './state.ts'
import type { NewTurn } from './types.ts'

export type StartOptions = {
  readonly taskId: string
  readonly service: TaskService
  readonly connection: Connection
  readonly signal: AbortSignal
}

/** The service remembers a key for longer than this. */
const KEY_AGE_MAX_MS = 20 * 60 * 60_000
/** How long an aborted start waits for the answer to a request that is under way. */
const ANSWER_MS = 5_000
/** The clocks of both sides may differ. */
const CLOCK_SKEW_MS = 10 * 60_000

export function toTurnBody(turn: NewTurn, model: string | null): TurnBody {
  const chosen = turn.model ?? model
  return {
    prompt: turn.prompt,
    maxMinor: turn.maxMinor,
    // The service names the media types that it does not accept.
    ...(turn.attachments.length > 0 && {
      attachments: [...turn.attachments] as NonNullable<TurnBody['attachments']>,
    }),
    ...(chosen !== null && { model: chosen }),
    ...(turn.verify !== null && { verify: { command: turn.verify } }),
    ...(turn.mode === 'plan' && { mode: 'plan' }),
    ...(turn.compact && { compact: true }),
  }
}

/** Returns the id of the started turn. After an abort the turn may have started: its record stays until that is known. */
export async function startTurn(
  files: Pick<SessionFiles, 'pendingTurn'>,
  body: TurnBody,
  { taskId, service, connection, signal }: StartOptions,
): Promise<string> {
  signal.throwIfAborted()
  const pending: PendingTurn = {
    key: `cli_${randomBytes(16).toString('hex')}`,
    createdAt: new Date().toISOString(),
    body,
    isStopWanted: false,
  }
  await writeDurably(files.pendingTurn, pending)
  const late = new AbortController()
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const onAbort = () => {
    timer = setTimeout(() => late.abort(signal.reason), ANSWER_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const send = () => {
      attempts++
      return service.turn(taskId, body, pending.key, late.signal)
    }
    const { turnId } = await connection.patiently(send, late.signal)
    return turnId
  } catch (error) {
    if (late.signal.aborted) await writeDurably(files.pendingTurn, { ...pending, isStopWanted: true })
    else if (!resumable(error, { isFirst: attempts === 1 })) removeState(files.pendingTurn)
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

type Settled = {
  /** The turn that the record belongs to, if it has started. */
  readonly turnId: string | null
  readonly prompt?: string
  readonly notices: readonly string[]
}

/** Finds out whether the turn of an earlier process has started. If it never arrived, it starts now: the user sent it. */
export async function settlePending(
  files: Pick<SessionFiles, 'pendingTurn'>,
  options: StartOptions,
): Promise<Settled> {
  const { value: pending, damaged } = readStored(files.pendingTurn, isPendingTurn)
  if (damaged !== null)
    return {
      turnId: null,
      notices: [`Your last message may not have been sent: its record was damaged and is now ${damaged}.`],
    }
  if (pending === null) return { turnId: null, notices: [] }
  const ageMs = Date.now() - Date.parse(pending.createdAt)
  const isOld = !(ageMs < KEY_AGE_MAX_MS)
  const settled =
    pending.isStopWanted || isOld ? await findTurn(pending, options) : await sendAgain(pending, options)
  return { ...settled, prompt: pending.body.prompt }
}

async function sendAgain(
  { body, key }: PendingTurn,
  { taskId, service, connection, signal }: StartOptions,
): Promise<Settled> {
  try {
    const { turnId } = await connection.patiently(() => service.turn(taskId, body, key, signal), signal)
    return { turnId, notices: [] }
  } catch (error) {
    if (!(error instanceof CowrieError) || resumable(error)) throw error
    return { turnId: null, notices: [`Your last message was not sent: ${error.message}`] }
  }
}

/** Looks for the turn without starting it. */
async function findTurn(
  { body, createdAt, isStopWanted }: PendingTurn,
  { taskId, service, connection, signal }: StartOptions,
): Promise<Settled> {
  const task = await connection.patiently(() => service.get(taskId, signal), signal)
  const sinceMs = Date.parse(createdAt) - CLOCK_SKEW_MS
  const found = task.turns.find(
    (turn) => turn.prompt === body.prompt && Date.parse(turn.createdAt) >= sinceMs,
  )
  if (found?.finishedAt === null && isStopWanted)
    await connection.patiently(() => service.stop(taskId, signal), signal)
  if (found) return { turnId: found.finishedAt === null ? found.id : null, notices: [] }
  return {
    turnId: null,
    notices: isStopWanted ? [] : ['Your last message was not sent. Nothing was charged for it.'],
  }
}
