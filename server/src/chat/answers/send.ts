// Sends a message: holds the worst-case cost, streams the answer, then stores its text, its charge and the last frame in one
// transaction. So a charged answer is never lost, and a lost answer is never charged.
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

/** The request that sends a message. */
export type MessageRequest = {
  readonly once: Once
  readonly open: () => EventStream
  readonly requestId: string
}

/** Returns the last frame. With an idempotency key the answer survives a disconnect; without one a disconnect stops it. */
export async function sendMessage(
  app: App,
  actor: Actor,
  thread: ThreadId,
  input: MessageInput,
  { once, open, requestId }: MessageRequest,
) {
  const route = chooseRoute(app, actor, input)
  const turn = await beginTurn(app, actor, thread, input.prompt, once)
  const answerStream = createAnswerStream(open, once.isKeyed)
  const unwatch = watchAnswer(app, turn.answerId, {
    org: actor.orgId,
    stop: answerStream.stop,
    renew: once.renew,
  })
  try {
    const context = await buildContext(app, actor, turn.mode, input, turn.history)
    const quotedMinor = await quotedMax(app, messageQuoteSubject(actor, thread, input))
    const maxMinor = lowerLimit(input.maxMinor, quotedMinor)
    const finished = await runTurn(app, turn, route, context, { maxMinor, requestId }, answerStream)
    return await storeAnswer(app, turn, route, context, finished, once, answerStream)
  } catch (error) {
    await abandonTurn(app, turn, route, answerStream, error)
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
  context: MessageContext,
  asked: { readonly maxMinor: bigint | undefined; readonly requestId: string },
  answerStream: AnswerStream,
): Promise<FinishedTurn> {
  const { orgId, userId, keyId, org } = turn.actor
  return runModelTurn(app, {
    orgId,
    userId,
    keyId,
    currency: org.currency,
    ref: turn.answerId,
    source: 'chat',
    workKind: 'message',
    route,
    messages: context.messages,
    outputCeiling: outputCeiling(app.config.upstreamContextTokens),
    leastOutput: OUTPUT_TOKENS_MIN,
    spentMicroKobo: 0n,
    ...asked,
    signal: answerStream.signal,
    onHeld: async () => {
      await bumpThread(app, turn)
      answerStream.start()
    },
    onText: answerStream.write,
  })
}

/** One transaction stores and charges the answer. If it cannot be stored, it is not charged. */
async function storeAnswer(
  app: App,
  turn: Turn,
  { lane, model }: ModelRoute,
  { context, withheld }: MessageContext,
  finished: FinishedTurn,
  once: Once,
  answerStream: AnswerStream,
) {
  const { finish, text: content } = finished.answer
  const status = finish === 'stop' ? ('complete' as const) : ('stopped' as const)
  const errorCode = finish === 'stop' || finish === 'stopped' ? null : finish
  const seq = answerStream.nextSeq()
  try {
    return await once.commit(turn.actor.orgId, async (tx) => {
      const { chargedMinor: costMinor, balances } = await settleFinishedIn(app, tx, finished)
      const outcome = { status, content, lane, model, costMinor, errorCode }
      if (!(await finishAnswer(tx, turn.answerId, outcome))) throw new ApiError('work_ended')
      return {
        message: { id: turn.answerId, role: 'assistant' as const, createdAt: turn.answeredAt, ...outcome },
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
    // A hold that is not released expires by its deadline.
    await releaseTurn(app, finished.turn).catch((failure) =>
      app.log.warn({ err: failure, answerId: turn.answerId }, 'chat.hold.release_failed'),
    )
    throw error
  }
}

/** If this fails, the orphaned-answers job fails the answer after its lease expires. */
async function abandonTurn(
  app: App,
  turn: Turn,
  route: ModelRoute,
  answerStream: AnswerStream,
  error: unknown,
): Promise<void> {
  try {
    if (answerStream.hasStarted) await failTurn(app, turn, route, answerStream.text, error)
    else await discardTurn(app, turn)
  } catch (failure) {
    app.log.warn({ err: failure, answerId: turn.answerId }, 'chat.answer.abandon_failed')
  }
}
