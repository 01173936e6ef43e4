// Asking in a thread: the worst case is held, the answer is streamed as it is written, and its text, its price and the last
// frame are stored in one transaction. So no text that was paid for is lost, and nothing is paid for that is not there.
import { ApiError } from '../../kernel/errors.ts'
import {
  type FinishedTurn,
  type ModelRoute,
  quotedMax,
  releaseTurn,
  runModelTurn,
  settleFinishedIn,
} from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { type Ask, routeOf, windowFor } from '../context/build-context.ts'
import { OUTPUT_TOKENS_LEAST, outputCeiling } from '../limits.ts'
import { endAnswer } from '../threads/messages-sql.ts'
import type { ThreadId } from '../threads/threads-sql.ts'
import { watchAnswer } from './active-answers.ts'
import { createWriting, type Writing } from './answer-stream.ts'
import { quotedMessage } from './quote.ts'
import { beginTurn, failTurn, showTurn, type Turn, withdrawTurn } from './turn.ts'

/** Asks, and returns the last frame. A key makes the call survive its connection; without one a lost client stops it. */
export async function sendMessage(
  app: App,
  actor: Actor,
  thread: ThreadId,
  ask: Ask,
  once: Once,
  open: () => EventStream,
) {
  const route = routeOf(app, actor, ask)
  const turn = await beginTurn(app, actor, thread, ask.prompt, once)
  const writing = createWriting(open, once.isKeyed)
  const unwatch = watchAnswer(app, turn.answerId, {
    org: actor.orgId,
    stop: writing.stop,
    renew: once.renew,
  })
  try {
    const window = await windowFor(app, actor, turn.mode, ask, turn.said)
    const told = await app.db.tx(actor.orgId, (tx) => quotedMax(tx, quotedMessage(actor, thread, ask)))
    const taken = await take(app, turn, route, window, lowest(ask.maxMinor, told), writing)
    return await store(app, turn, route, window, taken, once, writing)
  } catch (error) {
    await giveUp(app, turn, route, writing, error)
    throw error
  } finally {
    unwatch()
  }
}

type Asked = Awaited<ReturnType<typeof windowFor>>

const lowest = (one: bigint | undefined, other: bigint | undefined): bigint | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one

function take(
  app: App,
  turn: Turn,
  route: ModelRoute,
  window: Asked,
  maxMinor: bigint | undefined,
  writing: Writing,
): Promise<FinishedTurn> {
  const { orgId, userId, org } = turn.actor
  return runModelTurn(app, {
    orgId,
    userId,
    currency: org.currency,
    ref: turn.answerId,
    source: 'chat',
    route,
    messages: window.messages,
    outputCeiling: outputCeiling(app.config.upstreamContextTokens),
    leastOutput: OUTPUT_TOKENS_LEAST,
    spentMicroKobo: 0n,
    maxMinor,
    signal: writing.signal,
    onHeld: async () => {
      await showTurn(app, turn)
      writing.begin()
    },
    onText: writing.write,
  })
}

/** All or nothing. Whatever keeps it from being stored also keeps it from being paid for. */
async function store(
  app: App,
  turn: Turn,
  { lane, model }: ModelRoute,
  { context, withheld }: Asked,
  taken: FinishedTurn,
  once: Once,
  writing: Writing,
) {
  const { finish, text: content } = taken.answer
  const status = finish === 'stop' ? ('complete' as const) : ('stopped' as const)
  const errorCode = finish === 'stop' || finish === 'stopped' ? null : finish
  const seq = writing.nextSeq()
  try {
    return await once.commit(turn.actor.orgId, async (tx) => {
      const { chargedMinor: costMinor, balances } = await settleFinishedIn(app, tx, taken)
      const ending = { status, content, lane, model, costMinor, errorCode }
      if (!(await endAnswer(tx, turn.answerId, ending))) throw new ApiError('work_ended')
      return {
        message: { id: turn.answerId, role: 'assistant' as const, createdAt: turn.answeredAt, ...ending },
        costMinor,
        balanceMinor: balances.balanceMinor,
        userMessage: { id: turn.questionId, createdAt: turn.askedAt },
        finish,
        context,
        withheld: [...withheld],
        seq,
      }
    })
  } catch (error) {
    // A hold that stays open ends by its deadline.
    await releaseTurn(app, taken.turn).catch((failure) =>
      app.log.warn({ err: failure, answerId: turn.answerId }, 'chat.hold.release_failed'),
    )
    throw error
  }
}

/** What cannot be noted now is noted by the reaper, once the answer has shown no life for a while. */
async function giveUp(
  app: App,
  turn: Turn,
  route: ModelRoute,
  writing: Writing,
  error: unknown,
): Promise<void> {
  try {
    if (writing.hasBegun) await failTurn(app, turn, route, writing.text, error)
    else await withdrawTurn(app, turn)
  } catch (failure) {
    app.log.warn({ err: failure, answerId: turn.answerId }, 'chat.answer.abandon_failed')
  }
}
