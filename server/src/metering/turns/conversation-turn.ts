// One paid turn of a model with tools: the worst case is held and the model is asked. The caller settles the usage when it stores
// the outcome. A turn that fails costs nothing.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import {
  type AnswerPiece,
  type ConversationAnswer,
  callConversation,
  estimatePrompt,
  PromptTooLong,
} from '../../platform/inference/inference.ts'
import type { Conversation } from '../../platform/wires/wires.ts'
import { type ModelRoute, retriesOf } from '../routing.ts'
import { type AskedTurn, holdAsked } from './model-turn.ts'
import { runTurn, throwIfShuttingDown } from './run-turn.ts'
import type { Turn, TurnUsage } from './turns.ts'

export type ConversationTurn = Omit<AskedTurn, 'promptTokens'> & {
  readonly conversation: Conversation
  readonly onPiece?: (piece: AnswerPiece) => void
}

export type AnsweredTurn = {
  readonly turn: Turn
  readonly answer: ConversationAnswer
  /** Null when nothing was delivered: then nothing is charged. */
  readonly used: TurnUsage | null
}

/**
 * Holds the worst case and asks the model. The hold is open when this returns, and released when it throws. Throws
 * `prompt_too_long` when the provider does not accept a prompt of this length.
 */
export async function runConversationTurn(app: App, ask: ConversationTurn): Promise<AnsweredTurn> {
  const { ref, route, release } = ask
  const { record, turn } = await holdAsked(app, { ...ask, promptTokens: estimatePrompt(ask.conversation) })
  let isDelivered = false
  const onPiece = (piece: AnswerPiece) => {
    isDelivered = true
    record.markOutput()
    ask.onPiece?.(piece)
  }
  const run = {
    turn,
    ref,
    route,
    release,
    onHeld: ask.onHeld,
    work: (tried: ModelRoute) => askPaidModel(app, { ...ask, route: tried, onPiece }, turn),
    isDelivered: () => isDelivered,
    count: countOf,
  }
  return runTurn(app, run, (answer) => {
    const { countedBy: _, ...used } = answer.used
    const isNothing = answer.blocks.length === 0
    record.end(used)
    if (answer.finish === 'stopped' && isNothing) record.disconnect()
    return { turn, answer, used: isNothing ? null : used }
  })
}

async function askPaidModel(app: App, ask: ConversationTurn, turn: Turn): Promise<ConversationAnswer> {
  try {
    const answer = await callConversation(app, {
      ...ask.route,
      conversation: ask.conversation,
      promptTokens: turn.terms.promptTokens,
      maxOutputTokens: turn.outputCeiling,
      signal: ask.signal,
      retries: retriesOf(ask.route),
      ...(ask.onPiece && { onPiece: ask.onPiece }),
    })
    throwIfShuttingDown(ask.signal)
    return answer
  } catch (error) {
    if (error instanceof PromptTooLong) throw new ApiError('prompt_too_long')
    throw error
  }
}

const countOf = ({ finish, used }: ConversationAnswer) => ({
  finish,
  tokens: used.promptTokens + used.outputTokens,
})
