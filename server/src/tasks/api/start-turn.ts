// Starts turns: one transaction checks the task and the money, stores the turn and enqueues its job.
import { createHash } from 'node:crypto'
import { ApiError, type ErrorCode, invalidFields } from '../../kernel/errors.ts'
import { isId, type KeyId, newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import { RESERVATION_ERRORS } from '../../metering/metering.ts'
import { chargeabilityNow, findMembership, findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { lastSeqOf } from '../../platform/streams/streams.ts'
import { readSpendable } from '../../wallet/wallet.ts'
import { appendEvents } from '../events.ts'
import type { CommentTurn, StartedTurn } from '../pull-request/comment-job.ts'
import type { NewTurn } from '../request-schema.ts'
import { redactSecrets } from '../secrets/redact.ts'
import type { TurnPayload } from '../steps/turn-context.ts'
import { TURN_JOB } from '../steps/turn-job.ts'
import { findTask, lockTask, openTurn, setTitle, type Task } from '../tasks-sql.ts'
import { attachmentBytes, countOpenTurns, findTurn, insertTurn, sumRequestBytes } from '../turns-sql.ts'
import type { TurnId } from '../types.ts'
import { requireLockedTask, requireTask } from './access.ts'
import { DEFAULT_TITLE } from './create-task.ts'
import { type QuotedTurn, quoteTurn, readHistory } from './quote-turn.ts'

const TURNS_MAX = 500
/** Of all turns of a task together, however they ended: a turn that is stopped at once costs nothing. */
const PROMPT_BYTES_MAX = 16 * 1024 * 1024
const ATTACHMENT_BYTES_MAX = 64 * 1024 * 1024
const OPEN_TURNS_MAX = 50
const START_LIMIT: AttemptLimit = { name: 'tasks.turn', most: 600, withinSeconds: 3_600 }
const TITLE_CHARACTERS = 80
/** Enough to see that a value in the title is a secret. */
const TITLE_CONTEXT_CHARACTERS = 10_000

export async function startTurn(app: App, actor: Actor, id: string, body: NewTurn, once: Once) {
  const { orgId, userId, keyId } = actor
  const { task, history } = await app.db.tx(orgId, async (tx) => ({
    task: await requireTask(tx, actor, id),
    history: await readHistory(tx, orgId, id),
  }))
  const quoted = await quoteTurn(app, actor, task, body, history)
  const title = await titleOf(orgId, body.prompt)
  return once.commit(orgId, async (tx) => {
    const locked = await requireLockedTask(tx, actor, id)
    const turnId: TurnId = newId('trn')
    await storeTurn(app, tx, locked, { turnId, body, title, quoted, userId, keyId })
    const { route, maxMinor, usuallyMinor } = quoted
    return { turnId, model: route.modelId, maxMinor, usuallyMinor }
  }) satisfies Promise<CommittedReply<unknown>>
}

type NewTurnInput = {
  readonly turnId: TurnId
  readonly body: NewTurn
  /** For a task that has none. */
  readonly title: string
  readonly quoted: QuotedTurn
  readonly userId: UserId
  readonly keyId: KeyId | null
}

async function storeTurn(
  app: App,
  tx: Tx,
  task: Task,
  { turnId, body, title, quoted, userId, keyId }: NewTurnInput,
): Promise<void> {
  const { orgId } = task
  if (task.openTurnId !== null) throw new ApiError('turn_running', { turnId: task.openTurnId })
  if (task.turns >= TURNS_MAX) throw new ApiError('too_many_turns')
  await requireRoom(tx, task, body)
  await requireCapacity(app, tx, orgId)
  const maxMinor = withinBudget(task, quoted.maxMinor)
  await requireMoney(tx, task, { ...quoted, maxMinor }, userId, keyId)
  const { prompt, attachments = [], verify, allowSecrets = false, mode = 'work', compact = false } = body
  await insertTurn(tx, {
    id: turnId,
    taskId: task.id,
    ordinal: task.turns + 1,
    orgId,
    userId,
    keyId,
    model: quoted.route.modelId,
    prompt,
    attachments,
    allowSecrets,
    verifyCommand: verify?.command ?? null,
    mode,
    compact,
    clientVersion: task.clientVersion,
    maxMinor,
    firstChange: task.changes,
    afterSeq: await lastSeqOf(tx, task.id),
  })
  await openTurn(tx, task, turnId)
  if (task.title === DEFAULT_TITLE) await setTitle(tx, task, title)
  await appendEvents(tx, task.id, turnId, [{ kind: 'status', status: 'queued' }])
  await enqueue(tx, TURN_JOB, { turnId } satisfies TurnPayload, { org: orgId, key: turnId })
}

async function requireRoom(tx: Tx, task: Task, { prompt, attachments = [] }: NewTurn): Promise<void> {
  const stored = await sumRequestBytes(tx, task.orgId, task.id)
  const refuse = (path: string, max: number) =>
    invalidFields({
      path,
      message: `has no room: all turns of a task share ${max / 1024 / 1024} MiB. Send less, or start a new task`,
    })
  if (stored.promptBytes + Buffer.byteLength(prompt) > PROMPT_BYTES_MAX)
    throw refuse('prompt', PROMPT_BYTES_MAX)
  if (stored.attachmentBytes + attachmentBytes(attachments) > ATTACHMENT_BYTES_MAX)
    throw refuse('attachments', ATTACHMENT_BYTES_MAX)
}

/** Another turn may have spent since the quote. */
function withinBudget({ budgetMinor, spentMinor }: Task, maxMinor: bigint): bigint {
  if (budgetMinor === null) return maxMinor
  const left = budgetMinor - spentMinor
  return left < maxMinor ? left : maxMinor
}

async function requireCapacity(app: App, tx: Tx, orgId: OrgId): Promise<void> {
  await tx.lock(`turns of ${orgId}`)
  if ((await countOpenTurns(tx, orgId)) >= OPEN_TURNS_MAX) throw new ApiError('too_many_open_turns')
  const { allowed, retryAfter } = await countAttempt(app, tx, START_LIMIT, orgId)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
}

async function requireMoney(
  tx: Tx,
  { orgId }: Task,
  { leastMinor, maxMinor }: QuotedTurn,
  userId: UserId,
  keyId: KeyId | null,
): Promise<void> {
  if (maxMinor < leastMinor) throw new ApiError('budget_too_low', { requiredMinor: leastMinor, maxMinor })
  const { spendableMinor, limitedBy } = await readSpendable(tx, orgId, userId, keyId)
  if (spendableMinor < leastMinor)
    throw new ApiError(RESERVATION_ERRORS[limitedBy], {
      requiredMinor: leastMinor,
      availableMinor: spendableMinor,
    })
}

/** The first line of the prompt, without secrets. */
async function titleOf(orgId: OrgId, prompt: string): Promise<string> {
  const { start } = await redactSecrets(orgId, {
    start: prompt.trimStart().slice(0, TITLE_CONTEXT_CHARACTERS),
  })
  const line = start
    .split('\n')
    .map((each) => each.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim())
    .find((each) => each !== '')
  const title = line ?? DEFAULT_TITLE
  return title.length <= TITLE_CHARACTERS ? title : `${title.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`
}

/**
 * Starts a turn for a comment on the pull request of the task, paid by its organisation in the name of the member who created the
 * task. A repeated call for the same delivery starts nothing.
 */
export async function startTurnFromComment(
  app: App,
  { orgId, taskId, prompt, deliveryId }: CommentTurn,
): Promise<StartedTurn> {
  const turnId = turnIdOf(deliveryId)
  const found = await app.db.tx(orgId, async (tx) => ({
    known: await findTurn(tx, orgId, turnId),
    task: await findTask(tx, orgId, taskId),
    payer: await findOrg(tx, orgId),
    history: await readHistory(tx, orgId, taskId),
  }))
  if (found.known) return 'started'
  const charge = chargeabilityNow(app, found.payer)
  if (!charge.chargeable) return { refused: charge.refusal }
  if (!found.task) return { refused: 'not_found' }
  const body: NewTurn = { prompt }
  try {
    const quoted = await quoteTurn(app, { org: charge.org, keyLimits: null }, found.task, body, found.history)
    const title = await titleOf(orgId, prompt)
    return await app.db.tx(orgId, async (tx) => {
      const task = await lockTask(tx, orgId, taskId)
      if (!task) return { refused: 'not_found' }
      if (await findTurn(tx, orgId, turnId)) return 'started'
      if (!(await findMembership(tx, orgId, task.userId))) return { refused: 'forbidden' }
      await storeTurn(app, tx, task, { turnId, body, title, quoted, userId: task.userId, keyId: null })
      return 'started'
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return error.code === ('turn_running' satisfies ErrorCode) ? 'busy' : { refused: error.code }
  }
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** The same id for the same delivery. */
function turnIdOf(deliveryId: string): TurnId {
  const bytes = createHash('sha256').update(`turn ${deliveryId}`).digest()
  const id = `trn_${[...bytes.subarray(0, 26)].map((byte) => ALPHABET[byte % 32]).join('')}`
  if (!isId('trn', id)) throw new Error('the id of a turn has its format')
  return id
}
