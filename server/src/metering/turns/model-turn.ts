// One paid turn of a model: the worst case is held and the model is asked. The caller settles the usage when it stores the
// outcome. A turn that fails costs nothing.
import { ApiError } from '../../kernel/errors.ts'
import type { KeyId, OrgId, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import {
  callModel,
  estimateMaxPromptTokens,
  type Message,
  type ModelAnswer,
} from '../../platform/inference/inference.ts'
import {
  affordableOutput,
  type Balances,
  type HoldId,
  type HoldSource,
  maxTurnCost,
} from '../../wallet/wallet.ts'
import { priceOf } from '../price.ts'
import { CallRecord } from '../requests/call-record.ts'
import { type ModelRoute, retriesOf, usageName } from '../routing.ts'
import { holdDeadline, runTurn, throwIfShuttingDown } from './run-turn.ts'
import {
  releaseTurn,
  releaseTurnIn,
  reserveTurn,
  reserveTurnFrom,
  settleTurn,
  settleTurnIn,
  type Turn,
  type TurnUsage,
} from './turns.ts'

export type ModelTurn = {
  readonly orgId: OrgId
  /** The member whose monthly cap applies; null for work without one. */
  readonly userId: UserId | null
  /** The API key whose budget and token rate apply; null for work without one. */
  readonly keyId: KeyId | null
  readonly currency: Currency
  /** The permanent reference of the turn: it names the hold and explains the charge. */
  readonly ref: string
  readonly source: HoldSource
  /** Set for work that is quoted before. */
  readonly workKind?: 'run' | 'loop' | 'message' | 'turn'
  /** Absent for background work. */
  readonly requestId?: string
  readonly route: ModelRoute
  readonly messages: readonly Message[]
  /** The upper bound of the prompt from a quote. Default: counted here. */
  readonly promptTokens?: number
  readonly outputCeiling: number
  /** The shortest useful output. */
  readonly leastOutput: number
  /** The usage of the run so far, from its last settlement; 0 in the first turn. */
  readonly spentMicroKobo: bigint
  /** The highest cost of this turn. */
  readonly maxMinor?: bigint | undefined
  /** An earlier hold that reserves the money of this turn. It is released in the transaction that holds the turn. */
  readonly fundingHold?: HoldId | undefined
  /** Frees the hold of a failed turn. Default: `releaseTurn`. */
  readonly release?: ((turn: Turn) => Promise<unknown>) | undefined
  /** Aborts when the caller disconnects or cancels. */
  readonly signal: AbortSignal
  /** Called once the money is held, before the model is asked. */
  readonly onHeld?: () => void | Promise<void>
  readonly onText?: (text: string) => void | Promise<void>
}

export type FinishedTurn = {
  readonly turn: Turn
  readonly answer: ModelAnswer
  /** Null when nothing was delivered: then nothing is charged. */
  readonly used: TurnUsage | null
}

export type TurnOutcome = {
  readonly chargedMinor: bigint
  /** The usage of the run including this turn, for the next turn. */
  readonly spentMicroKobo: bigint
  readonly balances: Balances
}

/** Holds the worst case and asks the model. The hold is open when this returns, and released when it throws. */
export async function runModelTurn(app: App, ask: ModelTurn): Promise<FinishedTurn> {
  const { ref, route, release } = ask
  const { record, turn } = await holdAsked(app, {
    ...ask,
    promptTokens: ask.promptTokens ?? estimateMaxPromptTokens(ask.messages),
  })
  let isDelivered = false
  const onText = (text: string) => {
    isDelivered = true
    record.markOutput()
    return ask.onText?.(text)
  }
  const run = {
    turn,
    ref,
    route,
    release,
    onHeld: ask.onHeld,
    work: (tried: ModelRoute) => askPaidModel(app, { ...ask, route: tried, onText }, turn),
    isDelivered: () => isDelivered,
    count: countOf,
  }
  return runTurn(app, run, (answer) => {
    const { countedBy: _, ...used } = answer.used
    record.end(used)
    if (answer.finish === 'stopped' && answer.text === '') record.disconnect()
    return { turn, answer, used: answer.text === '' ? null : used }
  })
}

async function askPaidModel(app: App, ask: ModelTurn, turn: Turn): Promise<ModelAnswer> {
  const answer = await callModel(app, {
    ...ask.route,
    messages: ask.messages,
    maxOutputTokens: turn.outputCeiling,
    signal: ask.signal,
    retries: retriesOf(ask.route),
    ...(ask.onText && { onText: ask.onText }),
  })
  throwIfShuttingDown(ask.signal)
  return answer
}

const countOf = ({ finish, used }: ModelAnswer) => ({ finish, tokens: used.promptTokens + used.outputTokens })

/** Settles or releases the hold in the transaction that stores the outcome. */
export async function settleFinishedIn(
  app: App,
  tx: Tx,
  { turn, used }: Pick<FinishedTurn, 'turn' | 'used'>,
): Promise<TurnOutcome> {
  if (used) return settleTurnIn(app, tx, turn, used)
  return nothingCharged(turn, (await releaseTurnIn(app, tx, turn)).balances)
}

/** As `settleFinishedIn`, where nothing else is stored. */
export async function settleFinished(
  app: App,
  { turn, used }: Pick<FinishedTurn, 'turn' | 'used'>,
): Promise<TurnOutcome> {
  if (used) return settleTurn(app, turn, used)
  return nothingCharged(turn, (await releaseTurn(app, turn)).balances)
}

/** The names of the request log for work that is not a direct call of a model. */
const WORK_NAMES = { run: 'agent.run', loop: 'agent.loop', message: 'chat', turn: 'task' } as const

const recordOf = (app: App, { orgId, userId, keyId, route, source, workKind, requestId }: AskedTurn) =>
  new CallRecord(app, {
    orgId,
    userId,
    keyId,
    route: workKind ? WORK_NAMES[workKind] : source,
    model: route.modelId,
    provider: route.provider,
    requestId: requestId ?? null,
  })

/** A turn without its prompt, whose size is known. */
export type AskedTurn = Omit<ModelTurn, 'messages' | 'onText' | 'promptTokens'> & {
  readonly promptTokens: number
}

/** Holds the worst case of a turn, and starts its row in the request log. */
export async function holdAsked(app: App, ask: AskedTurn): Promise<{ record: CallRecord; turn: Turn }> {
  const record = recordOf(app, ask)
  try {
    return { record, turn: await reserveAsked(app, ask, record) }
  } catch (error) {
    record.fail(error)
    throw error
  }
}

async function reserveAsked(app: App, ask: AskedTurn, record: CallRecord): Promise<Turn> {
  const { promptTokens, outputCeiling, leastOutput, spentMicroKobo, maxMinor } = ask
  const { lane, classPrices } = ask.route
  const price = priceOf(app, lane, ask.currency, classPrices)
  const within =
    maxMinor === undefined
      ? outputCeiling
      : affordableOutput(price, { beforeMicroKobo: spentMicroKobo, promptTokens, outputCeiling }, maxMinor)
  if (within < leastOutput) {
    const requiredMinor = maxTurnCost(price, spentMicroKobo, promptTokens, leastOutput)
    throw new ApiError('budget_too_low', { requiredMinor, maxMinor })
  }
  const asked = {
    ...ask,
    record,
    lane,
    classPrices,
    model: usageName(ask.route),
    outputCeiling: within,
    deadline: holdDeadline(app),
  }
  return ask.fundingHold === undefined
    ? reserveTurn(app, asked)
    : reserveTurnFrom(app, asked, ask.fundingHold)
}

const nothingCharged = ({ terms }: Turn, balances: Balances): TurnOutcome => ({
  chargedMinor: 0n,
  spentMicroKobo: BigInt(terms.beforeMicroKobo),
  balances,
})
