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
import { buildContext, chooseRoute, type MessageInput } from '../context/build-context.ts'
import { OUTPUT_TOKENS_MIN, outputCeiling } from '../limits.ts'
import { finishAnswer } from '../threads/messages-sql.ts'
import type { ThreadId } from '../threads/threads-sql.ts'
import { watchAnswer } from './active-answers.ts'
import { type AnswerStream, createAnswerStream } from './answer-stream.ts'
import { messageQuoteSubject } from './quote.ts'
import { beginTurn, bumpThread, discardTurn, failTurn, type Turn } from './turn.ts'

/** Asks, and returns the last frame. A key makes the call survive its connection; without one a lost client stops it. */
export async function sendMessage(
  app: App,
  actor: Actor,
  thread: ThreadId,
  ask: MessageInput,
  once: Once,
  open: () => EventStream,
) {
  const route = chooseRoute(app, actor, ask)
  const turn = await beginTurn(app, actor, thread, ask.prompt, once)
  const writing = createAnswerStream(open, once.isKeyed)
  const unwatch = watchAnswer(app, turn.answerId, {
    org: actor.orgId,
    stop: writing.stop,
    renew: once.renew,
  })
  try {
    const window = await buildContext(app, actor, turn.mode, ask, turn.history)
    const told = await app.db.tx(actor.orgId, (tx) => quotedMax(tx, messageQuoteSubject(actor, thread, ask)))
    const taken = await runTurn(app, turn, route, window, lowerLimit(ask.maxMinor, told), writing)
    return await storeAnswer(app, turn, route, window, taken, once, writing)
  } catch (error) {
    await abandonTurn(app, turn, route, writing, error)
    throw error
  } finally {
    unwatch()
  }
}

type MessageContext = Awaited<ReturnType<typeof buildContext>>

const lowerLimit = (one: bigint | undefined, other: bigint | undefined): bigint | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one

function runTurn(
  app: App,
  turn: Turn,
  route: ModelRoute,
  window: MessageContext,
  maxMinor: bigint | undefined,
  writing: AnswerStream,
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
    leastOutput: OUTPUT_TOKENS_MIN,
    spentMicroKobo: 0n,
    maxMinor,
    signal: writing.signal,
    onHeld: async () => {
      await bumpThread(app, turn)
      writing.start()
    },
    onText: writing.write,
  })
}

/** All or nothing. Whatever keeps it from being stored also keeps it from being paid for. */
async function storeAnswer(
  app: App,
  turn: Turn,
  { lane, model }: ModelRoute,
  { context, withheld }: MessageContext,
  taken: FinishedTurn,
  once: Once,
  writing: AnswerStream,
) {
  const { finish, text: content } = taken.answer
  const status = finish === 'stop' ? ('complete' as const) : ('stopped' as const)
  const errorCode = finish === 'stop' || finish === 'stopped' ? null : finish
  const seq = writing.nextSeq()
  try {
    return await once.commit(turn.actor.orgId, async (tx) => {
      const { chargedMinor: costMinor, balances } = await settleFinishedIn(app, tx, taken)
      const ending = { status, content, lane, model, costMinor, errorCode }
      if (!(await finishAnswer(tx, turn.answerId, ending))) throw new ApiError('work_ended')
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
async function abandonTurn(
  app: App,
  turn: Turn,
  route: ModelRoute,
  writing: AnswerStream,
  error: unknown,
): Promise<void> {
  try {
    if (writing.hasStarted) await failTurn(app, turn, route, writing.text, error)
    else await discardTurn(app, turn)
  } catch (failure) {
    app.log.warn({ err: failure, answerId: turn.answerId }, 'chat.answer.abandon_failed')
  }
}
