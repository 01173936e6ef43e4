// A metered call of a client API: holds the worst case, runs the work, settles the usage and builds the reply. Work that
// fails costs nothing. Under an idempotency key the reply is stored in the transaction of the settlement.
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { Answer } from '../../platform/http/answer.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import { RecordedStream, UnstoredReply } from '../../platform/http/idempotency/recorded-stream.ts'
import { RESTARTING } from '../../platform/http/reply/sse.ts'
import { type HoldSource, releaseByRef, type SettleResult } from '../../wallet/wallet.ts'
import { CallRecord } from '../requests/call-record.ts'
import { type ModelRoute, usageName } from '../routing.ts'
import { holdDeadline, runTurn } from './run-turn.ts'
import {
  releaseTurn,
  releaseTurnIn,
  reserveTurn,
  settleTurn,
  settleTurnIn,
  type Turn,
  type TurnUsage,
} from './turns.ts'

export type MeteredCall = {
  readonly actor: Actor
  /** The endpoint, such as `POST /v1/messages`, and the id of the request. */
  readonly endpoint: string
  readonly requestId: string
  readonly source: HoldSource
  readonly route: ModelRoute
  /** An upper bound of the prompt. */
  readonly promptTokens: number
  readonly outputCeiling: number
  /** The shortest useful output. */
  readonly leastOutput: number
  /** Aborts when the client no longer waits, or the service shuts down. */
  readonly signal: AbortSignal
  readonly once: Once
  /** The stream of the client; null where the reply is never streamed. */
  readonly output: StreamSink | null
}

export type StreamSink = {
  send(bytes: string): Promise<void>
  /** Everything that was sent so far, followed by `end`. */
  recorded(end: string): RecordedStream
  stop(): void
  /** Whether the client has received a part of the answer. */
  readonly isDelivered: boolean
  /** When the first output was sent, by `performance.now()`; null before that. */
  readonly firstOutputAtMs: number | null
  /** Drops the withheld bytes of a failed attempt. */
  reset(): void
}

export type ModelOutcome = {
  /** Null when nothing was delivered: then nothing is charged. */
  readonly used: TurnUsage | null
  readonly finish: string
  readonly last: LastReply
  readonly keeper?: AnswerKeeper
}
/** Stores the answer for later requests, before `last`. Under a key it shares the transaction of the settlement. */
export type AnswerKeeper = {
  keep(tx: Tx, cost: Cost): Promise<void>
  /** The answer is charged but could not be stored. */
  fail(): void
}
export type Cost = { readonly costMinor: bigint; readonly balanceMinor: bigint }
/** The reply, or the end of the stream, once the cost is known. It may be called twice. */
export type LastReply = (cost: Cost) => Answer | string
export type MeteredReply = CommittedReply<Answer | RecordedStream> | UnstoredReply<Answer | undefined>

/** Asks the model over one route: the call has that route. */
export type CallWork<C extends MeteredCall> = (turn: Turn, call: C) => Promise<ModelOutcome>

export async function runMeteredCall<C extends MeteredCall>(
  app: App,
  call: C,
  work: CallWork<C>,
): Promise<MeteredReply> {
  const record = recordOf(app, call)
  try {
    return await runRecorded(app, call, work, record)
  } catch (error) {
    record.fail(error)
    throw error
  }
}

const recordOf = (app: App, { actor, endpoint, requestId, route }: MeteredCall) =>
  new CallRecord(app, {
    orgId: actor.orgId,
    userId: actor.userId,
    keyId: actor.keyId,
    route: endpoint,
    model: route.modelId,
    provider: route.provider,
    requestId,
  })

async function runRecorded<C extends MeteredCall>(
  app: App,
  call: C,
  work: CallWork<C>,
  record: CallRecord,
): Promise<MeteredReply> {
  const ref = refOf(call.once)
  const turn = await hold(app, call, ref, record)
  const settle = call.once.isKeyed ? commit : settleUnkeyed
  const run = {
    turn,
    ref,
    route: call.route,
    work: (route: ModelRoute) => runWork({ ...call, route }, turn, work),
    isDelivered: () => call.signal.aborted || call.output?.isDelivered === true,
    count: countOf,
  }
  try {
    return await runTurn(app, run, (outcome) => {
      noteOutcome(record, call, outcome)
      return settle(app, call, turn, outcome)
    })
  } finally {
    call.output?.stop()
  }
}

/** Any failure after the client has disconnected is its disconnect: it is neither logged nor a fault of the provider. */
async function runWork<C extends MeteredCall>(call: C, turn: Turn, work: CallWork<C>): Promise<ModelOutcome> {
  const { signal } = call
  try {
    call.output?.reset()
    return await work(turn, call)
  } catch (error) {
    if (isDisconnected(signal)) turn.record?.disconnect()
    if (signal.aborted && !(error instanceof ApiError)) throw new ApiError('upstream_unavailable')
    throw error
  }
}

/** Neither the shutdown of the service nor an error of the stream is a disconnect. */
const isDisconnected = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason !== RESTARTING && !(reason instanceof ApiError)

function noteOutcome(record: CallRecord, { output, signal }: MeteredCall, { used }: ModelOutcome): void {
  const firstOutputAtMs = output?.firstOutputAtMs ?? null
  if (firstOutputAtMs !== null) record.markOutput(firstOutputAtMs)
  record.end(used)
  if (!used && isDisconnected(signal)) record.disconnect()
}

const countOf = ({ finish, used }: ModelOutcome) => ({
  finish,
  tokens: used ? used.promptTokens + used.outputTokens : 0,
})

/** Nothing is stored without a key, so the settlements of concurrent calls can share a statement. */
async function settleUnkeyed(
  app: App,
  { actor, once, output }: MeteredCall,
  turn: Turn,
  { used, last, keeper }: ModelOutcome,
): Promise<MeteredReply> {
  const settled = used ? await settleTurn(app, turn, used) : await releaseTurn(app, turn)
  const cost = costOf(settled)
  if (used && keeper) await keepSettled(app, actor, keeper, cost)
  const end = last(cost)
  if (typeof end !== 'string') return new UnstoredReply(once, end)
  await output?.send(end)
  return new UnstoredReply(once, undefined)
}

/** The answer is charged and complete, so the client gets it even if it cannot be stored. */
async function keepSettled(app: App, { orgId }: Actor, keeper: AnswerKeeper, cost: Cost): Promise<void> {
  try {
    await app.db.tx(orgId, (tx) => keeper.keep(tx, cost))
  } catch (error) {
    keeper.fail()
    app.log.warn({ err: error, orgId }, 'metering.reply.keep_failed')
  }
}

/** The reply is stored in the transaction that settles it: a retry finds both or neither. */
async function commit(
  app: App,
  { actor, once, output }: MeteredCall,
  turn: Turn,
  { used, last, keeper }: ModelOutcome,
): Promise<MeteredReply> {
  try {
    return await once.commit(actor.orgId, async (tx) => {
      const settled = used ? await settleTurnIn(app, tx, turn, used) : await releaseTurnIn(app, tx, turn)
      const cost = costOf(settled)
      if (used) await keeper?.keep(tx, cost)
      const end = last(cost)
      if (typeof end === 'string') return output?.recorded(end) ?? new RecordedStream('', end)
      return new Answer(end.status, textOf(end.body), end.headers)
    })
  } catch (error) {
    turn.record?.fail(error)
    // A hold that cannot be released now ends at its deadline.
    await releaseTurn(app, turn).catch((failure) =>
      app.log.warn({ err: failure, holdId: turn.hold.holdId }, 'metering.hold.release_failed'),
    )
    throw error
  }
}

const costOf = ({ hold: { chargedMinor }, balances }: SettleResult): Cost => ({
  costMinor: chargedMinor,
  balanceMinor: balances.balanceMinor,
})

const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : String(body)

/** Under a key each attempt has its own reference, by which the next attempt finds its hold. */
const refOf = (once: Once, attempt = once.attempt): string =>
  once.isKeyed ? `${once.id.replace(/^idem/, 'gen')}.${attempt}` : newId('gen')

async function hold(app: App, call: MeteredCall, ref: string, record: CallRecord): Promise<Turn> {
  const { actor, source, route, promptTokens, outputCeiling, leastOutput } = call
  await releaseEarlier(app, call)
  try {
    return await reserveTurn(app, {
      orgId: actor.orgId,
      userId: actor.userId,
      keyId: actor.keyId,
      currency: actor.org.currency,
      ref,
      source,
      lane: route.lane,
      model: usageName(route),
      classPrices: route.classPrices,
      promptTokens,
      outputCeiling,
      leastOutput: Math.min(leastOutput, outputCeiling),
      spentMicroKobo: 0n,
      deadline: holdDeadline(app),
      record,
    })
  } catch (error) {
    throw withAddress(error, actor.org.currency, `${app.config.baseUrl}/app`)
  }
}

/** Coding clients show only the text of an error, so it contains the amounts and the page that helps. */
function withAddress(error: unknown, currency: Currency, pages: string): unknown {
  if (!(error instanceof ApiError)) return error
  const { requiredMinor, availableMinor } = error.detail
  if (typeof requiredMinor !== 'bigint' || typeof availableMinor !== 'bigint') return error
  const [required, available] = [requiredMinor, availableMinor].map((minor) => format(money(minor, currency)))
  const texts: Readonly<Record<string, string>> = {
    insufficient_funds: `This request needs at least ${required}, and the wallet has ${available}. Top up at ${pages}/wallet, or request less.`,
    key_budget_exceeded: `This request needs at least ${required}, and the budget of this API key has ${available} left. Raise it at ${pages}/keys, or wait for its next period.`,
  }
  const text = texts[error.code]
  return text === undefined ? error : new ApiError(error.code, { ...error.detail, error: text })
}

/** Releases the hold that a crashed process left for the previous attempt under the same key. */
async function releaseEarlier(app: App, { actor: { orgId }, once }: MeteredCall): Promise<void> {
  if (once.attempt === 1) return
  const ref = refOf(once, once.attempt - 1)
  await app.db.tx(orgId, (tx) => releaseByRef(app, tx, { orgId, ref }))
}
