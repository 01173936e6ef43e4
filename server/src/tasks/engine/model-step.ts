// One model call of a turn: recorded, held, made, and settled in the transaction that stores its answer together with the tool calls
// that it asks for. A call without a stored answer is not charged, and a stored answer is never asked for again.
import { calculateTurnLimits } from '../../agent/agent.ts'
import { isLiveKey } from '../../identity/identity.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import {
  type AnsweredTurn,
  type ModelRoute,
  releaseTurn,
  routeToModel,
  runConversationTurn,
  settleFinishedIn,
} from '../../metering/metering.ts'
import { chargeabilityNow, findMembership, findOrg, type Org } from '../../orgs/orgs.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Conversation } from '../../platform/wires/wires.ts'
import { readSpendable, releaseByRef } from '../../wallet/wallet.ts'
import { appendEvents, type TaskEvent } from '../events.ts'
import {
  report,
  type StepOutcome,
  SupersededError,
  type TurnContext,
  type TurnState,
  withFence,
} from '../steps/turn-context.ts'
import { dispatchStep, finishStep, insertToolSteps } from '../steps-sql.ts'
import { addSpending } from '../tasks-sql.ts'
import { saveSpending, setStatus } from '../turns-sql.ts'
import { type StoredAnswer, storeAnswer } from './answer-steps.ts'
import { createTextEvents, type TextEvents } from './text-events.ts'

export type ModelStep = {
  readonly n: number
  readonly kind: 'model' | 'compact'
  /** Builds the prompt for the chosen model. */
  readonly conversation: (route: ModelRoute) => Conversation
  readonly outputTokens?: number
}

/** The organisation, the API key or the member may not be charged any more. */
export class NotChargeableError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(`the turn cannot be charged: ${code}`)
    this.name = 'NotChargeableError'
    this.code = code
  }
}

/** Throws `ApiError` when the model cannot be asked, and `NotChargeableError`. */
export async function runModelStep(
  context: TurnContext,
  state: TurnState,
  step: ModelStep,
): Promise<StepOutcome> {
  const { dispatches, payer } = await recordDispatch(context, state, step)
  const route = routeTo(context, state, payer)
  const conversation = step.conversation(route)
  const texts = createTextEvents({ step: step.n, attempt: dispatches }, (events) =>
    storePieces(context, state, events),
  )
  const answered = await ask(context, state, { step, dispatches, payer, route, conversation, texts })
  try {
    return await saveAnswer(context, state, step, answered, await texts.end())
  } catch (error) {
    // If the answer was saved after all, releasing has no effect.
    await releaseTurn(context.app, answered.turn)
    throw error
  }
}

export const routeTo = (
  { app }: Pick<TurnContext, 'app'>,
  { task, turn }: TurnState,
  payer: Org,
): ModelRoute => routeToModel(app, { org: payer, keyLimits: null }, turn.model, () => task.id)

/** Records the dispatch before the model call, and releases a hold that an earlier attempt left for this step. */
async function recordDispatch(context: TurnContext, { turn }: TurnState, { n, kind }: ModelStep) {
  const { app, orgId } = context
  const recorded = await withFence(context, async (tx) => {
    const dispatches = await dispatchStep(tx, turn, n, kind)
    if (dispatches > 1) await releaseByRef(app, tx, { orgId, ref: refOf(turn, n, dispatches - 1) })
    const isKeyLive = turn.keyId === null || (await isLiveKey(tx, orgId, turn.keyId))
    const isMember = (await findMembership(tx, orgId, turn.userId)) !== undefined
    return { dispatches, payer: await findOrg(tx, orgId), mayCharge: isKeyLive && isMember }
  })
  if (!recorded.mayCharge) throw new NotChargeableError('unauthenticated')
  const charge = chargeabilityNow(app, recorded.payer)
  // The job is retried: the turn continues after maintenance.
  if (!charge.chargeable && charge.refusal === 'maintenance') throw new ApiError('maintenance')
  if (!charge.chargeable) throw new NotChargeableError(charge.refusal)
  return { dispatches: recorded.dispatches, payer: charge.org }
}

/** Every dispatch has its own hold. */
const refOf = ({ id }: TurnState['turn'], n: number, dispatch: number): string => `${id}.${n}.${dispatch}`

type Dispatch = {
  readonly step: ModelStep
  readonly dispatches: number
  readonly payer: Org
  readonly route: ModelRoute
  readonly conversation: Conversation
  readonly texts: TextEvents
}

async function ask(
  { app, work }: TurnContext,
  { turn }: TurnState,
  { step, dispatches, payer, route, conversation, texts }: Dispatch,
): Promise<AnsweredTurn> {
  const limits = calculateTurnLimits(route.contextTokens)
  const ceiling = Math.min(
    step.outputTokens ?? limits.outputTokens,
    route.outputTokens ?? limits.outputTokens,
  )
  const answered = await runConversationTurn(app, {
    orgId: turn.orgId,
    userId: turn.userId,
    keyId: turn.keyId,
    currency: payer.currency,
    ref: refOf(turn, step.n, dispatches),
    source: 'agent',
    workKind: 'turn',
    route,
    conversation,
    outputCeiling: ceiling,
    leastOutput: Math.min(limits.minOutputTokens, ceiling),
    spentMicroKobo: turn.usedMicroKobo,
    maxMinor: turn.maxMinor - turn.spentMinor,
    signal: work.signal,
    onPiece: step.kind === 'model' ? texts.add : () => undefined,
  }).catch(async (error: unknown) => {
    await texts.end()
    work.signal.throwIfAborted()
    throw error
  })
  if (answered.answer.finish !== 'stopped') return answered
  // This replica stops. Another one asks again, and the unfinished answer costs nothing.
  await texts.end()
  await releaseTurn(app, answered.turn)
  work.signal.throwIfAborted()
  throw new ApiError('upstream_unavailable')
}

async function storePieces(
  context: TurnContext,
  state: TurnState,
  events: readonly TaskEvent[],
): Promise<void> {
  const { app } = context
  try {
    await withFence(context, (tx) => appendEvents(tx, state.task.id, state.turn.id, events))
  } catch (error) {
    if (!(error instanceof SupersededError))
      app.log.warn({ err: error, turnId: state.turn.id }, 'tasks.text.store_failed')
  }
}

async function saveAnswer(
  context: TurnContext,
  state: TurnState,
  step: ModelStep,
  answered: AnsweredTurn,
  rest: readonly TaskEvent[],
): Promise<StepOutcome> {
  const stored = storeAnswer(state, step, answered.answer)
  await withFence(context, (tx, locked) =>
    storeStep(context, state, { step, answered, stored, rest, spentMinor: locked.spentMinor }, tx),
  )
  return stored.isWaiting ? 'waiting' : 'done'
}

type Finished = {
  readonly step: ModelStep
  readonly answered: AnsweredTurn
  readonly stored: StoredAnswer
  readonly rest: readonly TaskEvent[]
  readonly spentMinor: bigint
}

async function storeStep(
  context: TurnContext,
  state: TurnState,
  { step, answered, stored, rest, spentMinor: before }: Finished,
  tx: Tx,
): Promise<void> {
  const { app } = context
  const { task, turn } = state
  const { chargedMinor, spentMicroKobo } = await settleFinishedIn(app, tx, answered)
  const end = { n: step.n, outcome: stored.outcome, costMinor: chargedMinor }
  if (!(await finishStep(tx, turn, step.kind, end))) throw new SupersededError()
  const spentMinor = before + chargedMinor
  await saveSpending(tx, turn, { spentMinor, usedMicroKobo: spentMicroKobo })
  await addSpending(tx, task, chargedMinor)
  await insertToolSteps(tx, turn, stored.tools)
  if (stored.isWaiting) await setStatus(tx, turn, 'waiting')
  const { spendableMinor } = await readSpendable(tx, task.orgId, turn.userId, turn.keyId)
  const { promptTokens = 0, outputTokens = 0 } = answered.used ?? {}
  const cost: TaskEvent = {
    kind: 'cost',
    step: step.n,
    costMinor: chargedMinor,
    spentMinor,
    balanceMinor: spendableMinor,
    model: present(answered.turn.terms.model, 'a hold names its model'),
    tokens: promptTokens + outputTokens,
  }
  await report(tx, context, state, [...rest, cost, ...stored.events])
}
