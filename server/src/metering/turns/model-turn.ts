// One turn of a model, paid for: the worst case is held, the model is asked, and what it took is settled by whoever stores
// the outcome. What fails through our fault or the provider's costs nothing.
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { RESTARTING } from '../../platform/http/reply/sse.ts'
import {
  askModel,
  type Message,
  type ModelAnswer,
  promptTokensAtMost,
  UpstreamFailed,
} from '../../platform/inference/inference.ts'
import {
  type Balances,
  ceilingWithin,
  extend,
  type HoldId,
  type HoldSource,
  turnCost,
} from '../../wallet/wallet.ts'
import { priceOf } from '../price.ts'
import type { ModelRoute } from '../routing.ts'
import { recordSuccess, upstreamError } from '../upstream-health.ts'
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
  /** Whose monthly cap it counts against; null for work that nobody in particular asked for. */
  readonly userId: UserId | null
  readonly currency: Currency
  /** What the turn is, for ever: it names the hold and stands in the explanation of the charge. */
  readonly ref: string
  readonly source: HoldSource
  readonly route: ModelRoute
  readonly messages: readonly Message[]
  /** What the prompt has at most, where a quote has said it already; otherwise it is counted here. */
  readonly promptTokens?: number
  readonly outputCeiling: number
  /** The shortest output that is of any use. */
  readonly leastOutput: number
  /** What the run has used so far, as its last settlement said; 0 in its first turn. */
  readonly spentMicroKobo: bigint
  /** The most that this turn may cost. */
  readonly maxMinor?: bigint | undefined
  /** The hold that keeps the money for this turn: it is let go of in the moment in which the turn is held. */
  readonly fundingHold?: HoldId | undefined
  /** What becomes of its hold when it fails; it is released where nothing is said. */
  readonly release?: ((turn: Turn) => Promise<unknown>) | undefined
  /** Whoever asks has gone or wants no more. */
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
  /** What the run has used now: what its next turn begins with. */
  readonly spentMicroKobo: bigint
  readonly balances: Balances
}

// A hold outlives its process by no more than this: what a crash leaves behind is soon free again.
const HOLD_SECONDS = 90
const RENEW_MS = 30_000

/** Holds, asks and waits. The hold is open when this returns; it is released when this throws. */
export async function runModelTurn(app: App, ask: ModelTurn): Promise<FinishedTurn> {
  const turn = await holdTurn(app, ask)
  const startedMs = performance.now()
  const beat = renewHold(app, turn)
  try {
    await ask.onHeld?.()
    const answer = await askModel(app, {
      ...ask.route,
      messages: ask.messages,
      maxOutputTokens: turn.outputCeiling,
      signal: ask.signal,
      ...(ask.onText && { onText: ask.onText }),
    })
    requireOurPatience(ask.signal)
    recordSuccess(app, ask.route.target)
    const { countedBy: _, ...used } = answer.used
    count(app, ask.route, answer.finish, startedMs, used.promptTokens + used.outputTokens)
    return { turn, answer, used: answer.text === '' ? null : used }
  } catch (error) {
    count(app, ask.route, 'failed', startedMs, 0)
    await (ask.release?.(turn) ?? releaseTurn(app, turn))
    throw await refusalOf(app, ask, error)
  } finally {
    clearInterval(beat)
  }
}

/** Settles or lets go, in the transaction that stores what the turn brought. */
export async function settleFinishedIn(app: App, tx: Tx, { turn, used }: FinishedTurn): Promise<TurnOutcome> {
  if (used) return settleTurnIn(app, tx, turn, used)
  return nothingCharged(turn, (await releaseTurnIn(app, tx, turn)).balances)
}

/** As `settleTakenIn`, where nothing else is stored. */
export async function settleFinished(app: App, { turn, used }: FinishedTurn): Promise<TurnOutcome> {
  if (used) return settleTurn(app, turn, used)
  return nothingCharged(turn, (await releaseTurn(app, turn)).balances)
}

/** The deadline of a hold whose work is looked after by this process. */
export const holdDeadline = (app: App): Date => after(app.clock.now(), { seconds: HOLD_SECONDS })

/** Says again and again that the work goes on. Whoever has it clears it. */
export function renewHold(app: App, { orgId, hold }: Turn): NodeJS.Timeout {
  return setInterval(() => {
    extend(app, { orgId, holdId: hold.holdId, deadline: holdDeadline(app) }).catch((error) =>
      app.log.warn({ err: error, holdId: hold.holdId }, 'a hold was not prolonged'),
    )
  }, RENEW_MS).unref()
}

async function holdTurn(app: App, ask: ModelTurn): Promise<Turn> {
  const promptTokens = ask.promptTokens ?? promptTokensAtMost(ask.messages)
  const { outputCeiling, leastOutput, spentMicroKobo, maxMinor } = ask
  const price = priceOf(app, ask.route.lane, ask.currency)
  const within =
    maxMinor === undefined
      ? outputCeiling
      : ceilingWithin(price, { beforeMicroKobo: spentMicroKobo, promptTokens, outputCeiling }, maxMinor)
  if (within < leastOutput) {
    const requiredMinor = turnCost(price, spentMicroKobo, BigInt(promptTokens + leastOutput))
    throw new ApiError('budget_too_low', { requiredMinor, maxMinor })
  }
  const asked = {
    ...ask,
    lane: ask.route.lane,
    model: ask.route.model,
    promptTokens,
    outputCeiling: within,
    leastOutput,
    deadline: holdDeadline(app),
  }
  return ask.fundingHold === undefined
    ? reserveTurn(app, asked)
    : reserveTurnFrom(app, asked, ask.fundingHold)
}

/** Work that ends because we go down was not ended by the customer. */
function requireOurPatience(signal: AbortSignal): void {
  if (signal.aborted && signal.reason === RESTARTING)
    throw new UpstreamFailed('unavailable', 'the service is going down')
}

async function refusalOf(app: App, { route, ref }: ModelTurn, error: unknown): Promise<unknown> {
  if (!(error instanceof UpstreamFailed)) return error
  app.log.warn({ err: error, model: route.model, ref }, 'a model did not serve a turn')
  return upstreamError(app, error, route.target)
}

function count(
  app: App,
  { lane, model }: ModelRoute,
  outcome: string,
  startedMs: number,
  tokens: number,
): void {
  app.metrics.modelCall(lane, model, outcome, (performance.now() - startedMs) / 1000, tokens)
}

const nothingCharged = ({ terms }: Turn, balances: Balances): TurnOutcome => ({
  chargedMinor: 0n,
  spentMicroKobo: BigInt(terms.beforeMicroKobo),
  balances,
})
