// One interface to all models: ask, hear the answer as it is written, learn what was used. Nothing here knows of money.
import type { App } from '../app.ts'
import { answerOfMock } from './mock/mock.ts'
import type { ModelAnswer, Question } from './question.ts'
import { answerOfUpstream } from './upstream.ts'

export {
  type Message,
  type ModelAnswer,
  type Question,
  type Target,
  type TokensUsed,
  UpstreamFailed,
} from './question.ts'
export {
  EMBEDDING_LIMITS,
  type HttpTarget,
  type SendOptions,
  sendUpstream,
  type UpstreamReply,
} from './send.ts'
export {
  countTokens,
  promptTokensAtLeast,
  promptTokensAtMost,
  promptTokensAtMostOf,
  promptTokensOf,
} from './tokens.ts'
export { isBelievable, type ReportedUsage, readUsage, type UsageBounds } from './usage.ts'

/** Asks a model. Throws `UpstreamFailed` and nothing else; ends in bounded time whatever the other side does. */
export function askModel(app: App, question: Question): Promise<ModelAnswer> {
  return question.target.kind === 'mock'
    ? answerOfMock(question)
    : answerOfUpstream(app, question.target, question)
}
