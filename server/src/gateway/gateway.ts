// A call through the compatible door: which model it goes to, what is held for it, and what it costs in the end.
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import {
  holdDeadline,
  type ModelRoute,
  recordSuccess,
  releaseTurn,
  releaseTurnIn,
  renewHold,
  reserveTurn,
  routeFor,
  settleTurn,
  settleTurnIn,
  type Turn,
  type TurnUsage,
  upstreamError,
} from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { Answer } from '../platform/http/answer.ts'
import type { Committed, Once } from '../platform/http/idempotency/idempotency.ts'
import { RecordedStream, Unstored } from '../platform/http/idempotency/recorded-stream.ts'
import { RESTARTING } from '../platform/http/reply/sse.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { releaseNamed, type Settled } from '../wallet/wallet.ts'
import type { StreamOutput } from './stream/stream-output.ts'
import type { Media } from './upstream/media.ts'

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
  readonly once: Once
  /** Null where nothing is ever streamed. */
  readonly listener: StreamOutput | null
}

export type ModelOutcome = {
  /** Null when nothing was delivered: then nothing is charged. */
  readonly used: TurnUsage | null
  readonly finish: string
  readonly last: Last
}
export type Cost = { readonly costMinor: bigint; readonly balanceMinor: bigint }
/** What is left to say once the money is settled: an answer in one piece, or the end of a stream. It may be called twice. */
export type Last = (cost: Cost) => Answer | string
export type Reply = Committed<Answer | RecordedStream> | Unstored<Answer | undefined>

/** What an answer may have when nobody says how long it should be. */
export const DEFAULT_OUTPUT = 8_192
export const OUTPUT_MIN = 16
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
  return Math.min(
    asked ?? DEFAULT_OUTPUT,
    OUTPUT_MAX,
    window,
    Math.max(window - promptTokens, DEFAULT_OUTPUT),
  )
}

/** Holds the worst case, has the work done, settles what it used and says the rest. What fails costs nothing. */
export async function metered(
  app: App,
  call: Call,
  work: (turn: Turn) => Promise<ModelOutcome>,
): Promise<Reply> {
  const turn = await hold(app, call)
  const beat = renewHold(app, turn)
  try {
    const worked = await workOn(app, call, turn, work)
    return await (call.once.isKeyed ? commit : settle)(app, call, turn, worked)
  } finally {
    clearInterval(beat)
    call.listener?.stop()
  }
}

/** Without a key nothing is stored, so settlements of many calls share a statement. */
async function settle(
  app: App,
  { once, listener }: Call,
  turn: Turn,
  { used, last }: ModelOutcome,
): Promise<Reply> {
  const settled = used ? await settleTurn(app, turn, used) : await releaseTurn(app, turn)
  const rest = last(costOf(settled))
  if (typeof rest !== 'string') return new Unstored(once, rest)
  await listener?.send(rest)
  return new Unstored(once, undefined)
}

/** Under a key the reply is stored in the transaction that settles it: a retry finds both or neither. */
async function commit(app: App, call: Call, turn: Turn, { used, last }: ModelOutcome): Promise<Reply> {
  const { actor, once, listener } = call
  try {
    return await once.commit(actor.orgId, async (tx) => {
      const settled = used ? await settleTurnIn(app, tx, turn, used) : await releaseTurnIn(app, tx, turn)
      const rest = last(costOf(settled))
      if (typeof rest === 'string') return listener?.recorded(rest) ?? new RecordedStream('', rest)
      return new Answer(rest.status, textOf(rest.body), rest.headers)
    })
  } catch (error) {
    // A hold that stays open ends by its deadline.
    await releaseTurn(app, turn).catch((failure) =>
      app.log.warn({ err: failure, holdId: turn.hold.holdId }, 'gateway.hold.release_failed'),
    )
    throw error
  }
}

const costOf = ({ hold: { chargedMinor }, balances }: Settled): Cost => ({
  costMinor: chargedMinor,
  balanceMinor: balances.balanceMinor,
})

const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : String(body)

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

/** Under a key each attempt has its own name, by which the next one finds it. */
const nameOf = ({ once }: Call, attempt = once.attempt): string =>
  once.isKeyed ? `${once.id.replace(/^idem/, 'gen')}.${attempt}` : newId('gen')

/** Frees the money that a dead process held for the previous attempt under the same key. */
async function releaseEarlier(app: App, call: Call): Promise<void> {
  const { actor, once } = call
  if (once.attempt === 1) return
  const ref = nameOf(call, once.attempt - 1)
  await app.db.tx(actor.orgId, (tx) => releaseNamed(app, tx, { orgId: actor.orgId, ref }))
}

async function hold(app: App, call: Call): Promise<Turn> {
  const { actor, route, promptTokens, outputCeiling, leastOutput } = call
  await releaseEarlier(app, call)
  try {
    return await reserveTurn(app, {
      orgId: actor.orgId,
      userId: actor.userId,
      currency: actor.org.currency,
      ref: nameOf(call),
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

async function workOn(
  app: App,
  call: Call,
  turn: Turn,
  work: (turn: Turn) => Promise<ModelOutcome>,
): Promise<ModelOutcome> {
  const { lane, model } = call.route
  const startedMs = performance.now()
  const count = (outcome: string, tokens: number) =>
    app.metrics.modelCall(lane, model, outcome, (performance.now() - startedMs) / 1000, tokens)
  try {
    const worked = await work(turn)
    recordSuccess(app, call.route.target)
    count(worked.finish, worked.used ? worked.used.promptTokens + worked.used.outputTokens : 0)
    return worked
  } catch (error) {
    count('failed', 0)
    await releaseTurn(app, turn)
    throw await refusalOf(app, call, error)
  }
}

async function refusalOf(
  app: App,
  { route: { model, target }, signal }: Call,
  error: unknown,
): Promise<unknown> {
  if (error instanceof ApiError) return error
  // Nobody hears this one; it only has to be no bug.
  if (signal.aborted) return new ApiError('upstream_unavailable')
  if (!(error instanceof UpstreamFailed)) return error
  app.log.warn({ err: error, model }, 'a model did not serve a call')
  return upstreamError(app, error, target)
}
