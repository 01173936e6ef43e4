// A call through the compatible door: which model it goes to, what is held for it, and what it costs in the end.
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import {
  holdDeadline,
  keepHeld,
  type ModelRoute,
  releaseTurn,
  reserveTurn,
  routeFor,
  settleTurn,
  type Turn,
  type TurnUsage,
} from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { RESTARTING } from '../platform/http/sse.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import type { Media } from './media.ts'

export type Call = {
  readonly actor: Actor
  readonly route: ModelRoute
  /** What the prompt has at most. */
  readonly promptTokens: number
  readonly media: Media
  readonly outputCeiling: number
  /** The shortest output that is of any use. */
  readonly leastOutput: number
  /** Whoever asks has gone, or we go. */
  readonly signal: AbortSignal
}

export type Worked<T> = {
  /** Null when nothing was delivered: then nothing is charged. */
  readonly used: TurnUsage | null
  readonly finish: string
  readonly value: T
}
export type Paid<T> = { readonly value: T; readonly costMinor: bigint; readonly balanceMinor: bigint }

/** What an answer may have when nobody says how long it should be. */
export const USUAL_OUTPUT = 8_192
export const LEAST_OUTPUT = 16
/** What one call may ask for: all of it is held, and the wallet has others to serve. */
export const OUTPUT_MAX = 32_768

const FRONTIER = new Set(['frontier', 'cowrie/frontier'])
const OPEN = new Set(['open', 'cowrie/open'])

/** The lane that a model's name stands for. Frontier where there is none is served by open, and the answer says so. */
export function routeTo(app: App, actor: Actor, model: string): ModelRoute {
  if (!FRONTIER.has(model) && !OPEN.has(model)) throw new ApiError('model_not_found', { param: 'model' })
  return routeFor(app, actor.org, { frontier: FRONTIER.has(model) })
}

/**
 * The output that a call gets: no more than it asks for, than anybody gets, and than fits beside its prompt. Prompts are
 * estimated from above, and an estimate takes the usual answer from nobody.
 */
export function ceilingFor(app: App, asked: number | null | undefined, promptTokens: number): number {
  const window = app.config.upstreamContextTokens
  return Math.min(asked ?? USUAL_OUTPUT, OUTPUT_MAX, window, Math.max(window - promptTokens, USUAL_OUTPUT))
}

/** Holds the worst case, has the work done and settles what it used. What fails costs nothing. */
export async function metered<T>(
  app: App,
  call: Call,
  work: (turn: Turn) => Promise<Worked<T>>,
): Promise<Paid<T>> {
  const turn = await hold(app, call)
  const beat = keepHeld(app, turn)
  try {
    const { used, value } = await workOn(app, call, turn, work)
    const { hold: ended, balances } = used ? await settleTurn(app, turn, used) : await releaseTurn(app, turn)
    return { value, costMinor: ended.chargedMinor, balanceMinor: balances.balanceMinor }
  } finally {
    clearInterval(beat)
  }
}

/** Work that ends because we go down, or because its stream was refused, was not ended by the customer. */
export function requireOurPatience({ signal }: Call): void {
  if (signal.reason instanceof ApiError) throw signal.reason
  if (signal.reason === RESTARTING) throw new UpstreamFailed('unavailable', 'the service is going down')
}

/** Where only one model may answer, an answer that names another is not shown to anybody. */
export function requireBound(app: App, { route: { isBound, model } }: Call, answered: unknown): void {
  if (!isBound || typeof answered !== 'string') return
  if (answered === model || answered.startsWith(`${model}-`)) return
  app.log.error({ asked: model, answered }, 'a model outside the residency policy answered')
  throw new UpstreamFailed('failed', `${answered} answered for ${model}`)
}

async function hold(app: App, { actor, route, ...tokens }: Call): Promise<Turn> {
  const { promptTokens, outputCeiling, leastOutput } = tokens
  try {
    return await reserveTurn(app, {
      orgId: actor.orgId,
      userId: actor.userId,
      currency: actor.org.currency,
      ref: newId('gen'),
      source: 'gateway',
      lane: route.lane,
      model: route.model,
      promptTokens,
      outputCeiling,
      leastOutput: Math.min(leastOutput, outputCeiling),
      spentMicroKobo: 0n,
      deadline: holdDeadline(app),
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'insufficient_funds') throw error
    const error402 = `The wallet does not cover this request; top it up at ${app.config.baseUrl}/app/wallet, or ask for less.`
    throw new ApiError(error.code, { ...error.detail, error: error402 })
  }
}

async function workOn<T>(
  app: App,
  call: Call,
  turn: Turn,
  work: (turn: Turn) => Promise<Worked<T>>,
): Promise<Worked<T>> {
  const { lane, model } = call.route
  const startedMs = performance.now()
  const count = (outcome: string, tokens: number) =>
    app.metrics.modelCall(lane, model, outcome, (performance.now() - startedMs) / 1000, tokens)
  try {
    const worked = await work(turn)
    count(worked.finish, worked.used ? worked.used.promptTokens + worked.used.outputTokens : 0)
    return worked
  } catch (error) {
    count('failed', 0)
    await releaseTurn(app, turn)
    throw refusalOf(app, call, error)
  }
}

function refusalOf(app: App, { route: { model }, signal }: Call, error: unknown): unknown {
  if (error instanceof ApiError) return error
  // Nobody hears this one; it only has to be no bug.
  if (signal.aborted) return new ApiError('upstream_unavailable')
  if (!(error instanceof UpstreamFailed)) return error
  app.log.warn({ err: error, model }, 'a model did not serve a call')
  const code = error.kind === 'failed' ? 'upstream_failed' : 'upstream_unavailable'
  return new ApiError(code, error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter })
}
