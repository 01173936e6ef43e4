// The public API for models: ask, receive the answer as it is written, learn what was used. Money is no concern here.
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
export { askModel } from './upstream.ts'
export { isBelievable, type ReportedUsage, readUsage, type UsageBounds } from './usage.ts'
